export { agentSign } from "./agent-identity.ts";
export { allowedSignersPath, parseAllowedSigners, principalOf, type AllowedSigner } from "./allowed-signers.ts";
export {
  decideOverrides,
  isOverridable,
  overrideRefusals,
  type DecidedOverrides,
  type OverrideRefusal,
  type RefusedOverride,
  type ValidOverride,
} from "./decide-overrides.ts";
export {
  isOverridePath,
  overrideDays,
  overrideDirectory,
  overrideNamespace,
  overridePath,
  parseOverride,
  renderOverride,
  signedText,
  type OverrideResult,
  type OverrideRow,
} from "./override-row.ts";
