import { contractDigest, type AcceptanceContract, type TestsEntry } from "../../core/contract/index.ts";
import { buildScripts } from "../../core/contract-advice/index.ts";
import { deriveTests } from "../../core/fit/index.ts";
import { guardScripts, type Survey } from "../../core/init/index.ts";
import { TrueupError } from "../../errors.ts";
import { tryOnBase, type AdviseTarget } from "../advise-contract/advise-contract.ts";
import { directCommand } from "../advise-contract/direct-command.ts";
import { measureCommands } from "../gather/measure-tree.ts";
import { openBase, type OpenedBase } from "../gather/open-base.ts";
import { prepareTree } from "../gather/prepare-tree.ts";
import { readShownTests } from "../preflight/choose-contract.ts";
import type { PreflightPorts } from "../preflight/preflight.ts";

/** What a repository shows, and in words what it does not. */
export interface SurveyResult extends Omit<Survey, "actionReference"> {
  readonly notes: readonly string[];
}

const nothing = { entry: null, prepare: [], guards: [] } as const;

/**
 * Looks at the committed state of a repository and tries its tests, types and lint over it. What fails or cannot be run on
 * the untouched base is not proposed, since it would block every change; the reason is said.
 */
export async function surveyRepository(target: AdviseTarget, ports: PreflightPorts): Promise<SurveyResult> {
  if (!target.run) return { ...nothing, notes: ["no standing contract: with --static nothing was tried"] };
  try {
    return await survey(await openBase(ports.git, target), target, ports);
  } catch (error) {
    // A repository without a commit, or one that cannot be read here, still gets its configuration.
    if (!(error instanceof TrueupError) || error.category === "interrupted") throw error;
    return { ...nothing, notes: [`no standing contract: ${error.message}. ${error.hint}`] };
  }
}

async function survey(opened: OpenedBase, target: AdviseTarget, ports: PreflightPorts): Promise<SurveyResult> {
  const shown = await readShownTests(opened.reader);
  const derived = deriveTests(shown);
  const prepare = buildScripts(shown.scripts);
  const steps = prepare.length === 0 ? {} : { prepare: prepare.map((name) => ({ command: `npm run ${name}` })) };
  const tried = derived.ok
    ? await tryTests(directCommand(derived.entry, shown), { steps, target, ports })
    : { entry: null, notes: [`no tests in the standing contract: ${derived.subject}: ${derived.detail}`] };
  const guards = await tryGuards(guardScripts(shown.scripts), { steps, opened, target, ports });
  return { entry: tried.entry, prepare, guards: guards.clean, notes: [...tried.notes, ...guards.notes] };
}

interface Trial {
  readonly steps: Pick<AcceptanceContract, "prepare">;
  readonly target: AdviseTarget;
  readonly ports: PreflightPorts;
}

async function tryTests(
  entry: TestsEntry,
  { steps, target, ports }: Trial,
): Promise<{ readonly entry: TestsEntry | null; readonly notes: readonly string[] }> {
  const contract: AcceptanceContract = { intent: "chore", ...steps, tests: [entry] };
  const report = await tryOnBase({ contract, digest: contractDigest(contract) }, target, ports);
  const [run] = report.baseline;
  if (report.outcome === "fit" && run !== undefined) {
    const red = run.failed === 0 ? "" : `; ${run.failed} failed and may stay so`;
    return { entry, notes: [`tests: ${run.command}: ${run.passed} passed on the untouched base${red}`] };
  }
  const why = report.reasons.map((one) => {
    const seen = [one.subject, one.detail].filter((part) => part !== null).join(", ");
    return `no tests in the standing contract: ${one.message}${seen === "" ? "" : `: ${seen}`}. ${one.remedy}`;
  });
  return { entry: null, notes: why };
}

/** The scripts that end with 0 on the untouched base, each run there on its own. */
async function tryGuards(
  names: readonly string[],
  { steps, opened, target, ports }: Trial & { readonly opened: OpenedBase },
): Promise<{ readonly clean: readonly string[]; readonly notes: readonly string[] }> {
  if (names.length === 0) return { clean: [], notes: [] };
  const { mirror, base } = opened;
  const contract: AcceptanceContract = { ...steps, commands: names.map((name) => ({ command: `npm run ${name}` })) };
  const signal = target.signal === undefined ? {} : { signal: target.signal };
  try {
    const prepared = await prepareTree(ports, mirror, { tree: base.tree, contract, ...signal });
    try {
      const on = { ports, mirror, base, tree: base.tree, purpose: "base" as const, contract };
      const facts = await measureCommands({ ...on, ...prepared, ...signal });
      if (target.signal?.aborted === true) throw new TrueupError("interrupted");
      const exits = names.map(
        (_, index) => facts.find((one) => one.kind === "command" && one.criterion === index)?.exit,
      );
      const clean = names.filter((_, index) => exits[index]?.code === 0 && exits[index].error === null);
      const notes = names.map((name, index) =>
        clean.includes(name)
          ? `npm run ${name}: exit 0 on the untouched base`
          : `npm run ${name} is left out: exit ${exits[index]?.code ?? "none"} on the untouched base, so it would block every change`,
      );
      return { clean, notes };
    } finally {
      await prepared.installed.release();
    }
  } catch (error) {
    if (!(error instanceof TrueupError) || error.category === "interrupted") throw error;
    return {
      clean: [],
      notes: [`${names.map((name) => `npm run ${name}`).join(", ")} could not be tried: ${error.message}`],
    };
  }
}
