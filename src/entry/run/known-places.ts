import { resolvePlaces, type Places } from "../../core/config/places.ts";
import { TrueupError } from "../../errors.ts";

/** State, cache and runtime directory by the environment. Throws `state-unwritable` or `cache-unwritable` with the variable to mend. */
export function knownPlaces(environment: Readonly<Record<string, string | undefined>>): Places {
  const resolved = resolvePlaces(environment);
  if (resolved.resolved) return resolved.places;
  const code = resolved.variable === "TRUEUP_CACHE" ? "cache-unwritable" : "state-unwritable";
  throw new TrueupError(code, { subject: resolved.variable, detail: resolved.reason });
}
