import { parseCommand } from "../contract/index.ts";
import type { Facts, RunFacts } from "../facts/index.ts";
import { runSubject } from "./entry-view.ts";
import { exitFindings } from "./exit-text.ts";
import { block } from "./rule.ts";
import { staleFindings } from "./stale-run.ts";
import { identityKey, identityText } from "./test-identity.ts";
import type { Finding } from "./verdict.ts";

/** Whether a run, on head or base, can be believed at all: its faults, its exit, its tree, its command, its identities. */
export function runEvidence(
  run: RunFacts,
  command: string,
  facts: Pick<Facts, "change" | "trust_roots">,
): readonly Finding[] {
  const subject = runSubject(run);
  const faults = run.faults.map((fault) => block(`evidence-${fault.code}`, subject, fault.detail));
  const differs =
    run.second_witness === "differs" && !run.faults.some((fault) => fault.code === "second-witness-differs");
  return [
    ...faults,
    ...(differs
      ? [block("evidence-second-witness-differs", subject, "the runner's own report says something else")]
      : []),
    ...exitFindings(run.exit, subject, command),
    ...staleFindings(run, subject, facts),
    ...otherCommand(run, command),
    ...identitiesTwice(run),
  ];
}

function otherCommand(run: RunFacts, command: string): readonly Finding[] {
  const declared = parseCommand(command);
  const same = declared.ok && JSON.stringify(declared.argv) === JSON.stringify(run.declared_argv);
  return same
    ? []
    : [block("run-unasked", runSubject(run), `ran ${run.declared_argv.join(" ")}, the contract says ${command}`)];
}

function identitiesTwice(run: RunFacts): readonly Finding[] {
  const seen = new Set<string>();
  return run.cases.flatMap((one) => {
    const key = identityKey(one);
    if (seen.has(key)) return [block("evidence-identity-twice", runSubject(run), identityText(one))];
    seen.add(key);
    return [];
  });
}
