import { isPlainProgram, type AcceptanceContract, type HeldOutEntry } from "../../core/contract/index.ts";
import type { CommandFacts, ExitFact, HeldOutFacts, RunFacts } from "../../core/facts/index.ts";
import type { HeldOutStore } from "../../ports/index.ts";
import { measureCommands, measureTests, type MeasureRequest } from "./measure-tree.ts";

const didNotRun: ExitFact = { code: null, error: "not-found", signal: null };

/**
 * Puts each held-out file into the tree, over whatever stands there, and runs its command in a fresh room. Only counts are
 * kept: no title, no output, no report. A file that is not in the store is said to be missing, never left out.
 */
export async function measureHeldOut(request: MeasureRequest, store: HeldOutStore): Promise<readonly HeldOutFacts[]> {
  const facts: HeldOutFacts[] = [];
  for (const [criterion, entry] of (request.contract.held_out_tests ?? []).entries()) {
    const bytes = await store.read(entry.sha256);
    const tree = bytes === null ? null : await request.mirror.putFile(request.tree, { path: entry.path, bytes });
    const measured = tree === null ? nothing : await measureEntry({ ...request, tree }, entry);
    facts.push({ criterion, purpose: request.purpose, over: request.tree, tree, ...measured });
  }
  return facts;
}

type Measured = Omit<HeldOutFacts, "criterion" | "purpose" | "over" | "tree">;

const nothing: Measured = {
  runner: null,
  exit: didNotRun,
  duration_ms: 0,
  faults: [],
  passed: 0,
  not_passed: 0,
  evidence_digest: null,
};

async function measureEntry(request: MeasureRequest, entry: HeldOutEntry): Promise<Measured> {
  const { command, cwd } = entry;
  const step = { command, ...(cwd === undefined ? {} : { cwd }) };
  if (isPlainProgram(command)) {
    const [ran] = await measureCommands({ ...request, contract: only(request.contract, { commands: [step] }) });
    return ran === undefined ? nothing : ofProgram(ran);
  }
  const contract = only(request.contract, { tests: [{ ...step, passed: entry.passed }] });
  const { result, prepare } = await measureTests({ ...request, contract }, 0, false);
  if (result !== null) return ofRun(result.facts);
  const failed = prepare.at(-1);
  return failed === undefined ? nothing : { ...nothing, exit: failed.exit, not_passed: 1 };
}

/** What the contract has done before and around its tests, and nothing else but this entry. */
function only(contract: AcceptanceContract, asked: Pick<AcceptanceContract, "tests" | "commands">): AcceptanceContract {
  const { prepare, services, needs } = contract;
  return {
    ...(prepare === undefined ? {} : { prepare }),
    ...(services === undefined ? {} : { services }),
    ...(needs === undefined ? {} : { needs }),
    ...asked,
  };
}

function ofProgram(ran: CommandFacts): Measured {
  const good = ran.kind === "command" && ran.exit.code === 0 && ran.exit.error === null;
  return { ...nothing, exit: ran.exit, duration_ms: ran.duration_ms, passed: good ? 1 : 0, not_passed: good ? 0 : 1 };
}

function ofRun(run: RunFacts): Measured {
  const passed = run.cases.filter((one) => one.state === "passed").length;
  const badModules = run.modules.filter((one) => one.state !== "passed" || one.errors.length > 0).length;
  const written = (run.tree_written ?? []).length;
  return {
    runner: run.runner,
    exit: run.exit,
    duration_ms: run.duration_ms,
    faults: [...new Set(run.faults.map((fault) => fault.code))].toSorted(),
    passed,
    not_passed: run.cases.length - passed + badModules + run.unhandled.length + written,
    evidence_digest: run.evidence_digest,
  };
}
