import type { EvidenceFault, PlantedTest, TestIdentity } from "../facts/index.ts";
import type { ReportTerms, RunnerReport } from "./second-witness.ts";
import type { InitMessage, StartMessage } from "./witness-messages.ts";

/** Where things lie inside the sandbox, and what the contract asks of the run. */
export interface LaunchRequest {
  /** Arguments after the runner's name, already checked by the command policy. */
  readonly args: readonly string[];
  /** Files that match a file filter by accident and shall not run; relative to the directory it runs in. */
  readonly exclude: readonly string[];
  /** Every file filter is, exactly, a file of the tree. */
  readonly exact?: boolean;
  /** Absolute path inside of the node binary. */
  readonly node: string;
  /** Absolute path inside of the runner's own script, or of the toolchain's program that is the runner. */
  readonly bin: string;
  /** Absolute path inside of the mounted witness. */
  readonly witness: string;
  /** Absolute path inside where the runner's own report goes. */
  readonly report: string;
  readonly version: string;
  readonly assertionsRequired: boolean;
}

/** What a test is called within its file. */
export type TestName = Pick<TestIdentity, "suite" | "title">;

/** A test file of head, and what is to be put into a copy of it. */
export interface PlantRequest {
  /** Relative to the repository root. */
  readonly path: string;
  readonly text: string;
  readonly planted: readonly PlantedTest[];
  /** Every test that the file has on head. */
  readonly beside: readonly TestName[];
  /** Random, so that what is planted has names that nothing in the change can know. */
  readonly seed: string;
}

/** The command to run, or why it cannot be run with evidence. */
export type LaunchPlan =
  | {
      readonly kind: "launch";
      readonly argv: readonly string[];
      /** Variables of the run's environment besides those every run has. */
      readonly env?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "unsupported-version"; readonly detail: string };

/** What a runner's own first words prove about how it ran. */
export interface RunnerConditions {
  readonly faults: readonly EvidenceFault[];
  readonly assertionsRequired: boolean;
  /** Files that decide how tests run, absolute inside the sandbox. */
  readonly roots: readonly string[];
}

/** All that is particular to one test runner. Pure: facts in, facts out. */
interface RunnerRules {
  readonly name: string;
  /** Why an installed version cannot be run with evidence, or null. */
  refuseVersion(version: string): string | null;
  /** The file filters among checked arguments; runners match them by substring. */
  fileFilters(args: readonly string[]): readonly string[];
  /**
   * The arguments with these files in place of the command's own file filters; `files` are relative to its directory. A
   * runner without it cannot be held to a few files, so neither direction nor canary is measured for it.
   */
  pinFiles?(args: readonly string[], files: readonly string[]): readonly string[];
  /** A test file with must-fail tests in it, or null when it cannot be planted in; a runner without it has no canary. */
  plantCanary?(request: PlantRequest): string | null;
  /** Whether a must-fail test of a test's own name can be put into its file; a runner without it can do so for each. */
  canTwin?(text: string, test: TestName): boolean;
  /** A title of words as this runner can name a test; a runner without it takes any title. */
  nameStray?(title: string, beside: readonly TestName[]): string;
  /** Whether checked arguments run only tests of some titles. */
  filtersTitles?(args: readonly string[]): boolean;
  planLaunch(request: LaunchRequest): LaunchPlan;
  readConditions(init: InitMessage, start: StartMessage | null): RunnerConditions;
  /** Decodes the runner's own report; a string says why it cannot be read. */
  decodeReport(bytes: Uint8Array, root: string): RunnerReport | string;
  /** The witness's cases as that report can name them; a runner without it has a report that says as much as the witness. */
  reportTerms?: ReportTerms;
}

/** A runner among the repository's dependencies: the package whose version counts, and the name of its script. */
export interface PackageRunner extends RunnerRules {
  readonly packageName: string;
  readonly bin: string;
  readonly program?: undefined;
}

/** A runner that comes with a program of the toolchain: node itself, or a module of its python. */
export interface ToolchainRunner extends RunnerRules {
  readonly program: "node" | "python";
}

export type TestRunner = PackageRunner | ToolchainRunner;
