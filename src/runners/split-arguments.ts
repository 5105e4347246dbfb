import { runnerTable, type RunnerName } from "../core/contract/runner-table.ts";

/** Checked arguments of a runner, sorted. */
export interface SplitArguments {
  /** Flags with their value in the same word, as `name=value`. */
  readonly options: readonly string[];
  /** What is no flag: files, directories, patterns. */
  readonly filters: readonly string[];
}

/** Sorts arguments that the command policy has checked: a flag that takes a value takes it from the next word, unless it has one. */
export function splitArguments(runner: RunnerName, args: readonly string[]): SplitArguments {
  const flags = runnerTable.find((row) => row.name === runner)?.flags ?? [];
  const takesNext = (word: string): boolean =>
    !word.includes("=") && flags.some((flag) => flag.names.includes(word) && flag.takes !== "bare");
  const options: string[] = [];
  const filters: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? "";
    if (!word.startsWith("-")) filters.push(word);
    else if (!takesNext(word)) options.push(word);
    else {
      index += 1;
      options.push(`${word}=${args[index] ?? ""}`);
    }
  }
  return { options, filters };
}
