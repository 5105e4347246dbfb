import type { AcceptanceContract, TestsEntry } from "../contract/index.ts";
import { findNamedPaths, findTestsOf, type NamedPath } from "./named-paths.ts";

/** What a draft is made from. */
export interface DraftMaterial {
  /** The task's words. */
  readonly text: string;
  readonly intent: NonNullable<AcceptanceContract["intent"]> | null;
  readonly paths: readonly string[];
  /** How the tests are run; null when nothing says it. */
  readonly entry: TestsEntry | null;
  /** Build steps that npm would run before tests. */
  readonly prepare: readonly string[];
  /** How many tests pass on the untouched base; null when that was not measured or cannot be counted on. */
  readonly passedOnBase: number | null;
}

/** `guess`: taken from something that does not say it; `open`: left out, since nothing says it. */
export interface DraftNote {
  readonly kind: "guess" | "open";
  readonly key: string;
  readonly detail: string;
}

export interface Draft {
  /** Null when nothing could be proposed at all. */
  readonly contract: AcceptanceContract | null;
  readonly notes: readonly DraftNote[];
}

/** Proposes a contract. What no text, file or run says is left out and noted; what is likely but not said is noted as a guess. */
export function draftContract(material: DraftMaterial): Draft {
  const named = findNamedPaths(material.text, material.paths);
  const scope = [...named, ...findTestsOf(named, material.paths)];
  const tests = draftTests(material);
  const contract: AcceptanceContract = {
    ...(material.intent === null ? {} : { intent: material.intent }),
    ...(scope.length === 0 ? {} : { changed_files_only: scope.map((one) => one.path) }),
    ...(material.prepare.length === 0 || tests.entry === null
      ? {}
      : { prepare: material.prepare.map((name) => ({ command: `npm run ${name}` })) }),
    ...(tests.entry === null ? {} : { tests: [tests.entry] }),
  };
  const says = scope.length > 0 || tests.entry !== null;
  return { contract: says ? contract : null, notes: [...scopeNotes(scope), ...tests.notes, ...prepareNotes(material)] };
}

const words: Readonly<Record<NamedPath["why"], (one: NamedPath) => string | null>> = {
  named: () => null,
  "by-name": ({ path, from }) => `the text says ${from}, and ${path} is the only file of that name`,
  new: ({ path }) => `${path} is not on base; taken for a new file`,
  "test-of": ({ path, from }) => `the text does not name ${path}; by its name it tests ${from}`,
};

function scopeNotes(scope: readonly NamedPath[]): readonly DraftNote[] {
  const key = "changed_files_only";
  if (scope.length === 0)
    return [
      { kind: "open", key, detail: "the text names no file of the repository, so nothing limits what may change" },
    ];
  const guesses = scope.flatMap((one): readonly DraftNote[] => {
    const detail = words[one.why](one);
    return detail === null ? [] : [{ kind: "guess", key, detail }];
  });
  const caps = "no number of lines is proposed; set it to what you would still read";
  return [
    ...guesses,
    { kind: "open", key: "changed_files_required", detail: "which of these files must change is yours to say" },
    { kind: "open", key: "max_added_lines", detail: caps },
  ];
}

function draftTests(material: DraftMaterial): {
  readonly entry: TestsEntry | null;
  readonly notes: readonly DraftNote[];
} {
  const { entry, passedOnBase, text } = material;
  const key = "tests";
  if (entry === null)
    return {
      entry: null,
      notes: [{ kind: "open", key, detail: "nothing says how the tests of this repository are run" }],
    };
  const command: DraftNote = {
    kind: "guess",
    key: "tests[0].command",
    detail: `${entry.command}, from the repository's root`,
  };
  if ((material.intent ?? "behaviour") !== "behaviour") {
    if (passedOnBase === null) return { entry, notes: [command] };
    return { entry: { ...entry, passed: passedOnBase }, notes: [command] };
  }
  const wanted = findWantedTests(text);
  const said: DraftNote =
    wanted === null
      ? { kind: "guess", key: "tests[0]", detail: "the text does not say how many tests are new; one is demanded" }
      : { kind: "guess", key: "tests[0]", detail: `${wanted} new, from the text` };
  const added = wanted ?? 1;
  const counted =
    passedOnBase === null
      ? { command: entry.command, added }
      : { command: entry.command, passed: passedOnBase + added };
  return { entry: counted, notes: [command, said] };
}

function prepareNotes({ prepare, entry }: DraftMaterial): readonly DraftNote[] {
  if (entry === null) return [];
  return prepare.map((name) => ({
    kind: "guess",
    key: "prepare",
    detail: `npm runs the script ${name} by itself; leave it out if the tests need nothing built`,
  }));
}

const numbers = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** How many tests a text asks for (`add two tests`), or null when it says none or several numbers. */
export function findWantedTests(text: string): number | null {
  const pattern =
    /\b(an?|one|two|three|four|five|six|seven|eight|nine|ten|[1-9]\d{0,2})\s+(?:(?:new|more|unit|regression|failing|further|additional)\s+)*tests?\b(?!\s+(?:file|suite|command|run|script|fail|pass))/giu;
  const found = new Set([...text.matchAll(pattern)].map(([, word = ""]) => numberOf(word.toLowerCase())));
  const [only] = found;
  return found.size === 1 && only !== undefined ? only : null;
}

function numberOf(word: string): number {
  if (word === "a" || word === "an") return 1;
  const index = numbers.indexOf(word);
  return index > 0 ? index : Number(word);
}
