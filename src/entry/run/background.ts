import { mkdirSync, writeSync } from "node:fs";
import path from "node:path";
import { launchDetached } from "../../adapters/process-runner/node/launch-detached.ts";
import { createServiceOutput, type ServiceOutput } from "../../adapters/process-runner/node/service-output.ts";
import { TrueupError } from "../../errors.ts";
import { describeFailure, describeRecordError } from "./complain.ts";
import { readExactWords } from "./exact-words.ts";
import type { RunArguments } from "./parse-run-arguments.ts";
import { exitCodeOfRun, runAsked, type RunPlace } from "./run-asked.ts";

type Asked = Extract<RunArguments, { kind: "run" }>;

/** What the process that stays says of itself to the one that goes: that the command runs, or why not. */
export type ServiceStart = { readonly command_id: string } | { readonly exit: number; readonly complaint: string };

/** Leaves a process behind that runs the command and writes its record; returns when the command runs or could not. */
export async function startService(
  asked: Asked,
  { environment, words }: Pick<RunPlace, "environment" | "words">,
): Promise<ServiceStart> {
  const own = [process.execPath, ...process.execArgv, process.argv[1] ?? "", "run"];
  const options = words.slice(0, asked.first - 1).filter((word) => word !== "--background");
  const supervisor = [...own, ...options, "--supervise", "--"].map((word) => Buffer.from(word, "utf8"));
  const line = await launchDetached([...supervisor, ...readExactWords(words, words.length - asked.first)], environment);
  if (line === null) throw new TrueupError("service-lost");
  return JSON.parse(line) as ServiceStart;
}

/** The process that stays: runs the command, its output into files of the session, until it ends or is asked to end it. */
export async function superviseService(asked: Asked, place: Pick<RunPlace, "environment" | "words">): Promise<number> {
  const outputs: ServiceOutput[] = [];
  const told = { done: false };
  const tell = (start: ServiceStart): void => {
    if (told.done) return;
    told.done = true;
    try {
      writeSync(1, `${JSON.stringify(start)}\n`);
    } catch (error) {
      // Whoever started us is gone; the command runs on and its record will say how it ended.
      if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
    }
  };
  try {
    const outcome = await runAsked(asked, {
      ...place,
      open: ({ directory, rules, commandId }) => {
        const services = path.join(directory, "services");
        mkdirSync(services, { recursive: true, mode: 0o700 });
        const file = path.join(services, commandId);
        const [stdout, stderr] = [
          createServiceOutput(`${file}.stdout`, rules),
          createServiceOutput(`${file}.stderr`, rules),
        ];
        outputs.push(stdout, stderr);
        return { stdout, stderr };
      },
      onStarted: (command_id) => tell({ command_id }),
    });
    const code = exitCodeOfRun(outcome);
    tell({ exit: code, complaint: describeRecordError(outcome.record) ?? "" });
    return code;
  } catch (error) {
    tell({ exit: 125, complaint: describeFailure(error) });
    return 125;
  } finally {
    for (const output of outputs) output.close();
  }
}
