import { checkPushedTip, type PushRequest, type TipResult } from "../../app/check-push/check-push.ts";
import type { CheckPorts } from "../../app/check/check-work.ts";
import { parsePushedTips, type PushedTip } from "../../core/hooks/index.ts";
import { TrueupError } from "../../errors.ts";
import { escapeTerminal, renderTerminal } from "../../reporters/index.ts";
import { createCheckPorts } from "../cli/build-ports.ts";
import { readPackageVersion } from "../cli/package-version.ts";
import { createOutDirectory } from "../cli/places.ts";
import { parseContractOrThrow } from "../cli/read-contract.ts";
import { wantsColor, writeLine, type Terminal } from "../cli/terminal.ts";
import { openSessionStore } from "../run/session-ports.ts";
import { answerProbe } from "./answer-probe.ts";
import { readHookInput } from "./read-hook-input.ts";
import { openReceived } from "./open-received.ts";

const mend =
  "trueup: this is not pushed. Mend what is listed; `trueup check --commit REV` says the same without pushing.";
const advice = {
  "pre-push": `${mend}\n  A person can leave the check out once with TRUEUP_HOOK=off; CI judges the change all the same.`,
  "pre-receive": mend,
};

/** The `pre-push` and `pre-receive` hooks: every tip is judged as `check` does; 1 unless each may pass. */
export async function runPushHook(name: "pre-push" | "pre-receive", terminal: Terminal): Promise<number> {
  if (terminal.env["TRUEUP_HOOK"] === "off" && name === "pre-push") return 0;
  if (terminal.env["TRUEUP_HOOK"] === "probe") return answerProbe(name, terminal);
  const tips = parsePushedTips(name, await readHookInput());
  if (tips === null) throw new TrueupError("hook-input-invalid", { subject: name });
  if (tips.length === 0) return 0;
  const ports = await createCheckPorts(terminal, { quiet: true });
  const opened = name === "pre-receive" ? await openReceived(terminal, tips) : await openOwn(terminal, ports);
  try {
    return await judgeTips(tips, await requestOf(terminal, opened), { name, terminal, ports });
  } finally {
    await opened.close();
  }
}

type Opened = Pick<PushRequest, "place" | "received" | "session"> & { readonly close: () => Promise<void> };

async function openOwn(terminal: Terminal, { git }: CheckPorts): Promise<Opened> {
  const place = await git.findWorkTree(terminal.cwd);
  if (place === null) throw new TrueupError("not-a-repository", { subject: terminal.cwd });
  const named = terminal.env["TRUEUP_SESSION"] ?? "";
  const session = await openSessionStore(terminal.env).find(place.root, named === "" ? undefined : named);
  const { contract = null, contract_digest: digest = null, base } = session ?? {};
  const pinned = contract === null || digest === null ? null : { contract, digest };
  return {
    place,
    received: null,
    session: base === undefined ? null : { base: base.commit, pinned },
    close: async () => undefined,
  };
}

async function requestOf(terminal: Terminal, { place, received, session }: Opened): Promise<PushRequest> {
  const out = await createOutDirectory(terminal, null);
  return {
    place,
    received,
    session,
    parseStandingContract: (text) => parseContractOrThrow(text, ".trueup/contract.json"),
    version: readPackageVersion(),
    write: (tip) => (file, content) => out.write(`${tip.commit}/${file}`, content),
    outside: out.places,
    signal: terminal.signal,
  };
}

async function judgeTips(
  tips: readonly PushedTip[],
  request: PushRequest,
  {
    name,
    terminal,
    ports,
  }: { readonly name: keyof typeof advice; readonly terminal: Terminal; readonly ports: CheckPorts },
): Promise<number> {
  let held = 0;
  for (const tip of tips) {
    const result = await checkPushedTip(tip, request, ports);
    const said = sentence(result);
    if (said !== null) await writeLine(terminal.stderr, escapeTerminal(`trueup: ${tip.ref}: ${said}`));
    if (result.kind !== "judged" || mayPass(result)) continue;
    held += 1;
    const report = renderTerminal(result.judged, { color: wantsColor(terminal, terminal.stderr) });
    await writeLine(terminal.stderr, report.trimEnd());
  }
  if (held > 0) await writeLine(terminal.stderr, advice[name]);
  return held === 0 ? 0 : 1;
}

/** What cannot be determined may not pass; what nobody wrote a contract for is for CI to be strict about. */
function mayPass(result: TipResult & { readonly kind: "judged" }): boolean {
  const { outcome } = result.judged.verdict;
  return outcome === "passed" || outcome === "unchecked";
}

function sentence(result: TipResult): string | null {
  if (result.kind === "judged") return result.judged.verdict.outcome;
  return {
    known: "passed before, with this very tree",
    old: null,
    "no-base": "nothing says what it is to be judged against; not checked",
    "no-contract": "there is no contract; not checked",
  }[result.kind];
}
