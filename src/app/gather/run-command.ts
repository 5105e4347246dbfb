import { parseCommand, type StepEntry } from "../../core/contract/index.ts";
import { launcherTable } from "../../core/contract/launcher-table.ts";
import type { CommandFacts, ExitFact } from "../../core/facts/index.ts";
import { excerpt } from "../../core/test-report/index.ts";
import { TrueupError } from "../../errors.ts";
import type { InstalledDependencies, ResolvedToolchain, Room, Sandbox, SandboxRequest } from "../../ports/index.ts";
import { normalDirectory } from "./package-roots.ts";
import { withServices, type PlannedService } from "./with-services.ts";
import { insideDirectory, runEnvironment, runLimits } from "./run-settings.ts";

/** One run of one `prepare` or `commands` entry over one room. */
export interface RunCommandRequest {
  readonly sandbox: Sandbox;
  readonly room: Room;
  /** Id of the git tree the room shows. */
  readonly tree: string;
  readonly purpose: CommandFacts["purpose"];
  readonly kind: CommandFacts["kind"];
  readonly criterion: number;
  readonly entry: StepEntry;
  readonly toolchain: ResolvedToolchain;
  readonly dependencies: InstalledDependencies;
  /** Started before it, in its own namespace. */
  readonly services?: readonly PlannedService[];
  readonly signal?: AbortSignal;
  readonly onOutput?: NonNullable<SandboxRequest["onOutput"]>;
}

/** The words after a launcher that runs a program of the dependencies (`npx tsc` gives `tsc`), or null without one. */
function launchedProgram(words: readonly string[]): readonly string[] | null {
  const rows = launcherTable.filter(
    (row) => row.runs === "program" && row.words.every((word, index) => words[index] === word),
  );
  const row = rows.toSorted((a, b) => b.words.length - a.words.length)[0];
  if (row === undefined) return null;
  const rest = words.slice(row.words.length);
  const flags = rest.findIndex((word) => !row.flags.includes(word));
  const program = flags === -1 ? [] : rest.slice(flags);
  return program[0] === "--" ? program.slice(1) : program;
}

/** Words of npm itself, which needs its own script: a script of the manifest. */
function npmScript(words: readonly string[], toolchain: ResolvedToolchain): readonly string[] | null {
  if (words[0] !== "npm" || toolchain.npmCli === null) return null;
  return [toolchain.node, toolchain.npmCli, ...words.slice(1)];
}

/**
 * The argv that runs: a launcher gives way to the clean room's own binary, and nothing is fetched. Null means that a
 * launcher names a program the dependencies do not have.
 */
export async function resolveArgv(
  words: readonly string[],
  request: Pick<RunCommandRequest, "toolchain" | "dependencies"> & { readonly entry: Pick<StepEntry, "cwd"> },
): Promise<readonly string[] | null> {
  const cwd = normalDirectory(request.entry.cwd ?? "");
  const launched = launchedProgram(words);
  const [program, ...args] = launched ?? words;
  if (program === undefined) return null;
  if (launched === null && program === "node") return [request.toolchain.node, ...args];
  const bin = program.includes("/") ? null : await request.dependencies.resolveBin(cwd, program);
  if (bin !== null) return [bin, ...args];
  if (launched !== null && words[0] !== "pnpm" && words[0] !== "yarn") return null;
  return npmScript(words, request.toolchain) ?? words;
}

/** The words of a command; throws `contract-invalid` for one that needs a shell. */
export function parseWords(command: string): readonly string[] {
  const parsed = parseCommand(command);
  if (parsed.ok) return parsed.argv;
  throw new TrueupError("contract-invalid", { subject: command, detail: parsed.reason });
}

const notFound: ExitFact = { code: null, error: "not-found", signal: null };

/**
 * Runs one entry and says how it ended. A program that is not there is `not-found`, never an exit code; a command the
 * shell would have to read throws `contract-invalid`.
 */
export async function runCommand(request: RunCommandRequest): Promise<CommandFacts> {
  const { entry, toolchain, dependencies } = request;
  const words = parseWords(entry.command);
  const argv = await resolveArgv(words, request);
  const nothing = excerpt(new Uint8Array());
  const facts = {
    kind: request.kind,
    criterion: request.criterion,
    purpose: request.purpose,
    tree: request.tree,
    cwd: normalDirectory(entry.cwd ?? ""),
  };
  if (argv === null) return { ...facts, argv: words, exit: notFound, duration_ms: 0, stdout: nothing, stderr: nothing };
  const cwd = insideDirectory(entry.cwd);
  const result = await request.sandbox.run({
    phase: "test",
    argv: withServices(argv, request.services ?? [], []),
    cwd,
    env: runEnvironment({ cwd, toolchain, dependencies }),
    room: request.room,
    roomAccess: "writable",
    mounts: [...toolchain.mounts, ...dependencies.mounts],
    limits: runLimits(entry.timeout_seconds),
    proc: "real",
    ...(request.signal === undefined ? {} : { signal: request.signal }),
    ...(request.onOutput === undefined ? {} : { onOutput: request.onOutput }),
  });
  return {
    ...facts,
    argv,
    exit: result.exit,
    started_at: new Date(result.started_at_ms).toISOString(),
    duration_ms: result.duration_ms,
    stdout: excerpt(result.stdout),
    stderr: excerpt(result.stderr),
  };
}
