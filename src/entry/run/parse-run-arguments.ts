import type { CommandRecord } from "../../core/record/record.ts";

/** What `trueup run` was asked for, from the words before `--`; `first` is where the command's own words begin. */
export type RunArguments =
  | {
      readonly kind: "run";
      readonly first: number;
      readonly expectation: string | null;
      readonly retryOf: string | null;
      readonly timeoutMs: number | null;
      readonly role: CommandRecord["role"] | null;
      readonly background: boolean;
      /** We are the process that stays with a background command. */
      readonly supervise: boolean;
    }
  | { readonly kind: "stop"; readonly commandId: string }
  | { readonly kind: "help" }
  | { readonly kind: "refused"; readonly reason: string };

/** A timer of Node cannot wait longer, in milliseconds. */
const longestMs = 2 ** 31 - 1;
/** `proof` is for runs of the executor: they never count, so nobody else may say it. */
const roles: readonly CommandRecord["role"][] = ["iteration", "acceptance", "bootstrap", "service"];
const valued = ["--expect", "--retry-of", "--timeout", "--role", "--stop"] as const;

type Values = Partial<Record<(typeof valued)[number], string>>;

export const runHelp = `Usage: trueup run [options] -- COMMAND [ARGUMENT...]
       trueup run --stop ID

Runs one command without a shell and leaves one record of it, whatever happens. Output passes through
unchanged; when it ends, no process of it is left. Needs a session: \`trueup start\`.

Options:
  --expect TEXT    one line: what you expect to happen, stored before the command starts
  --retry-of ID    the command that this one retries (the same words, directory and tree are linked anyway)
  --timeout S      end it after S seconds (exit 124). Default: the contract's time for this command, else
                   TRUEUP_TIMEOUT, else none
  --role R         iteration, acceptance, bootstrap or service
  --background     leave it running, print its id; it ends with \`--stop ID\` or with the session
  --stop ID        end a background command and wait for its record
  --help

Exit codes: the command's own; 124 timeout, 125 trueup itself failed, 126 not executable, 127 not found,
128+n ended by signal n.
`;

/** Reads the words after \`run\`. Words after the first \`--\` are the command's, whatever they look like. */
export function parseRunArguments(words: readonly string[]): RunArguments {
  const values: Values = {};
  const flags = new Set<string>();
  let at = 0;
  for (; at < words.length && words[at] !== "--"; at++) {
    const word = words[at] ?? "";
    const [name = "", ...rest] = word.split("=");
    const option = valued.find((one) => one === name);
    if (option !== undefined) {
      const value = word.includes("=") ? rest.join("=") : words[++at];
      if (value === undefined || (value === "--" && !word.includes("="))) return refuse(`${option} needs a value`);
      if (values[option] !== undefined) return refuse(`${option} is given twice`);
      values[option] = value;
    } else if (word === "--help" || word === "-h") return { kind: "help" };
    else if (word === "--background" || word === "--supervise") flags.add(word);
    else
      return refuse(
        word.startsWith("-") ? `unknown option ${word}` : `put -- before the command: trueup run -- ${word}`,
      );
  }
  if (values["--stop"] !== undefined) return stop(words, values, flags);
  if (at + 1 >= words.length) return refuse("there is no command after --");
  return run(at + 1, values, flags);
}

function stop(words: readonly string[], values: Values, flags: ReadonlySet<string>): RunArguments {
  const alone = Object.keys(values).length === 1 && flags.size === 0 && !words.includes("--");
  return alone ? { kind: "stop", commandId: values["--stop"] ?? "" } : refuse("--stop stands alone");
}

function run(first: number, values: Values, flags: ReadonlySet<string>): RunArguments {
  const expectation = values["--expect"] ?? null;
  if (expectation !== null && /[\n\r]/u.test(expectation)) return refuse("--expect takes one line");
  const timeoutMs = values["--timeout"] === undefined ? null : parseSeconds(values["--timeout"]);
  if (timeoutMs === undefined) return refuse("--timeout takes seconds, more than 0 and at most 2147483");
  const asked = values["--role"];
  const role = roles.find((one) => one === asked) ?? null;
  if (asked !== undefined && role === null) return refuse(`--role is one of ${roles.join(", ")}`);
  const background = flags.has("--background");
  if (background && role !== null && role !== "service") return refuse("a background command has the role service");
  const retryOf = values["--retry-of"] ?? null;
  const supervise = flags.has("--supervise");
  const inRole = background || supervise ? "service" : role;
  return { kind: "run", first, expectation, retryOf, timeoutMs, role: inRole, background, supervise };
}

/** Seconds as milliseconds, undefined when it is none. */
export function parseSeconds(text: string): number | undefined {
  const ms = /^\d+(?:\.\d+)?$/u.test(text) ? Math.ceil(Number(text) * 1000) : Number.NaN;
  return ms > 0 && ms <= longestMs ? ms : undefined;
}

function refuse(reason: string): RunArguments {
  return { kind: "refused", reason };
}
