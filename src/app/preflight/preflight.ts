import type { AcceptanceContract } from "../../core/contract/index.ts";
import { digestOf, type Digest } from "../../core/digest.ts";
import type { RunFacts } from "../../core/facts/index.ts";
import {
  decideOutcome,
  findDrift,
  judgeBase,
  lastKnownGood,
  parseLastKnownGood,
  runOf,
  type ChosenContract,
  type FitReport,
} from "../../core/fit/index.ts";
import { reachableGrade } from "../../core/gate/index.ts";
import { TrueupError } from "../../errors.ts";
import type { Git, InstalledDependencies } from "../../ports/index.ts";
import { contentElsewhereError, findContentElsewhere } from "../gather/content-elsewhere.ts";
import { gatherBaseline, type GatherPorts } from "../gather/gather-facts.ts";
import { openBase, type OpenedBase } from "../gather/open-base.ts";
import { planRunners } from "../gather/planned-runners.ts";
import { findPrograms, installPackages, type FoundPrograms } from "../gather/prepare-tree.ts";
import { chooseContract, type GivenContract } from "./choose-contract.ts";
import { createFitSteps, type FitSteps } from "./fit-steps.ts";

export interface PreflightPorts extends GatherPorts {
  readonly git: Git;
}

export interface PreflightRequest {
  /** As git takes it. */
  readonly url: string;
  /** Null: the remote's HEAD. */
  readonly ref: string | null;
  /** Null: the standing contract of base, else one that is derived. */
  readonly contract: GivenContract | null;
  readonly parseStandingContract: (text: string) => GivenContract;
  /** Milliseconds from an arbitrary start. */
  readonly now: () => number;
  readonly signal?: AbortSignal;
}

/** What the steps found, as far as they came. */
interface Found {
  readonly cloned: OpenedBase;
  readonly chosen: ChosenContract | null;
  readonly programs: FoundPrograms | null;
  readonly installed: InstalledDependencies | null;
  readonly runs: readonly RunFacts[] | null;
  readonly limits: readonly string[];
}

/**
 * The executor's steps up to the baseline, without an agent and without anything that others could see. Whatever keeps the
 * repository from being worked on here is a reason in the account; only a repository that cannot be read at all throws.
 */
export async function preflight(request: PreflightRequest, ports: PreflightPorts): Promise<FitReport> {
  const steps = createFitSteps(ports.progress, request.now);
  const cloned = await steps.must("clone", () => openBase(ports.git, request));
  const chosen = await steps.run("admit", () => admit(request, cloned));
  const programs =
    chosen === null
      ? steps.skip("toolchain")
      : await steps.run("toolchain", () => findPrograms(ports, cloned.reader, chosen.contract));
  const installed =
    programs === null
      ? steps.skip("bootstrap")
      : await steps.run("bootstrap", () => installPackages(ports, programs, request.signal));
  try {
    const found = { cloned, chosen, programs, installed };
    const measured = await measure(request, { ports, steps }, found);
    return await account(request, { ports, steps }, { ...found, ...measured });
  } finally {
    await installed?.release();
  }
}

/** The contract, and whether its tests come down to runners that are known. */
async function admit(request: PreflightRequest, { reader }: OpenedBase): Promise<ChosenContract> {
  const chosen = await chooseContract(reader, request);
  await planRunners(reader, chosen.contract);
  return chosen;
}

interface Context {
  readonly ports: PreflightPorts;
  readonly steps: FitSteps;
}

async function measure(
  request: PreflightRequest,
  { ports, steps }: Context,
  found: Omit<Found, "runs" | "limits">,
): Promise<Pick<Found, "runs" | "limits">> {
  const { cloned, chosen, programs, installed } = found;
  const elsewhere = await findContentElsewhere(cloned.reader);
  if (chosen === null || programs === null || installed === null) {
    steps.skip("baseline");
    if (elsewhere.length > 0) steps.add("clone", contentElsewhereError(elsewhere));
    return { runs: null, limits: [] };
  }
  const prepared = { toolchain: programs.toolchain, installed };
  const runs = await steps.run("baseline", async () => {
    const baseline = await gatherBaseline(baselineRequest(request, ports, { cloned, chosen }), prepared);
    // A run that was cut off says nothing of the base.
    if (request.signal?.aborted === true) throw new TrueupError("interrupted");
    return baseline.runs;
  });
  const against = runs === null ? [] : judgeBase(runs, chosen.contract ?? {}, { vacuous: chosen.source !== "derived" });
  for (const { code, subject, detail } of against) steps.add("baseline", new TrueupError(code, { subject, detail }));
  const red = runs === null || against.length > 0 || runs.some((run) => run.exit.code !== 0);
  if (elsewhere.length === 0) return { runs, limits: redLimits(runs, against.length > 0) };
  const error = contentElsewhereError(elsewhere);
  if (red) steps.add("clone", error);
  return { runs, limits: red ? redLimits(runs, true) : [`${error.message}; the tests pass without it.`] };
}

/** A base that is red in part and is worked on all the same is said. */
function redLimits(runs: readonly RunFacts[] | null, declined: boolean): readonly string[] {
  if (runs === null || declined) return [];
  return runs
    .map(runOf)
    .flatMap(({ command, failed, exit }) =>
      failed === 0 && exit === 0
        ? []
        : [
            `${command}: exit ${exit ?? "none"}, ${failed} failed on the untouched base; they may stay so, and none may be added.`,
          ],
    );
}

function baselineRequest(
  request: PreflightRequest,
  ports: PreflightPorts,
  { cloned, chosen }: { readonly cloned: OpenedBase; readonly chosen: ChosenContract },
): Parameters<typeof gatherBaseline>[0] {
  const { base, mirror } = cloned;
  return {
    ports,
    mirror,
    base,
    captured: { tree: base.tree, ignored: 0, hazards: [], undetermined: [] },
    contract: chosen.contract,
    contractDigest: chosen.digest,
    subject: {
      mode: "deliver",
      judged: "captured",
      base_pinned: true,
      base_ref: base.ref,
      base_source: "the repository",
    },
    agent: null,
    claim: null,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  };
}

async function account(request: PreflightRequest, { ports, steps }: Context, found: Found): Promise<FitReport> {
  const { base } = found.cloned;
  const reasons = steps.reasons();
  const contract = found.chosen?.contract ?? null;
  const report: FitReport = {
    version: 1,
    repository: request.url,
    base: { ref: base.ref, commit: base.commit, tree: base.tree },
    outcome: decideOutcome(reasons),
    reasons,
    limits: found.limits,
    steps: steps.timings(),
    contract: {
      source: found.chosen?.source ?? "none",
      digest: found.chosen?.digest ?? null,
      tests: (contract?.tests ?? []).map((entry) => entry.command),
    },
    toolchain: found.programs?.toolchain.tools ?? [],
    dependencies: found.installed?.facts ?? [],
    baseline: (found.runs ?? []).map(runOf),
    grade: found.runs === null || contract === null ? null : await gradeIn(ports, contract, found.runs),
    drift: [],
  };
  return withDrift(ports, fitKey(request, found.chosen), report);
}

async function gradeIn(
  ports: PreflightPorts,
  contract: AcceptanceContract,
  runs: readonly RunFacts[],
): Promise<FitReport["grade"]> {
  const { report } = await ports.sandbox.probe();
  const { value, costs } = reachableGrade({ contract, runs, isolation: report });
  return { best: value, costs };
}

/** One memory a repository, revision and contract; a derived contract is another question each time it is asked otherwise. */
function fitKey(request: PreflightRequest, chosen: ChosenContract | null): Digest {
  return digestOf({
    url: request.url,
    ref: request.ref,
    contract: request.contract === null ? null : (chosen?.digest ?? null),
  });
}

/** Compares with the last time it was fit; only a fit account becomes the next one to compare with. */
async function withDrift(ports: PreflightPorts, key: Digest, report: FitReport): Promise<FitReport> {
  const now = lastKnownGood(report);
  const was = parseLastKnownGood(await ports.cache.read("fits", key));
  if (report.outcome === "fit") await ports.cache.write("fits", key, now);
  return was === null ? report : { ...report, drift: findDrift(was, now) };
}
