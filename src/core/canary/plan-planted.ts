import { compareText, sha256 } from "../digest.ts";
import type { PlantedTest, TestCase } from "../facts/index.ts";

const twinnedPerFile = 10;
const straysPerFile = 2;

/** What a plan is made from; the same seed, file and cases give the same plan. */
export interface PlantSeed {
  /** Not to be guessed by what is tested. */
  readonly seed: string;
  readonly file: string;
  /** Whether the command runs tests of any title; under a filter by title only twins can run. */
  readonly anyTitle: boolean;
  /** Makes a title of words one that the runner can carry; any title can be carried without it. */
  readonly nameStray?: ((title: string) => string) | undefined;
}

/**
 * The must-fail tests for one file: two twins for each test that passed on head, of ten at most, and two with titles that
 * nobody could know. One of each two fails by an assertion, the other by throwing: what hides one kind of failure of one
 * test is found by no other.
 */
export function planPlanted(
  cases: readonly TestCase[],
  { seed, file, anyTitle, nameStray = (title) => title }: PlantSeed,
): readonly PlantedTest[] {
  const draw = (text: string): string => sha256(`${seed}\n${file}\n${text}`).slice("sha256:".length);
  const named = new Map(
    cases
      .filter((one) => one.file === file && one.state === "passed")
      .map(({ suite, title }) => [JSON.stringify([suite, title]), { suite, title }] as const),
  );
  const twins = [...named]
    .map(([key, name]) => ({ ...name, order: draw(key) }))
    .sort((a, b) => compareText(a.order, b.order))
    .slice(0, twinnedPerFile)
    .flatMap(({ suite, title }) => Array.from({ length: 2 }, () => ({ suite, title, kind: "twin" as const })));
  const strays = Array.from({ length: anyTitle ? straysPerFile : 0 }, (_, index) => ({
    suite: [],
    title: nameStray(strayTitle(draw(`stray ${index}`))),
    kind: "stray" as const,
  }));
  const first = Number.parseInt(draw("first").slice(0, 2), 16) % 2;
  return [...twins, ...strays].map((one, index) => ({
    ...one,
    fails_by: (index + first) % 2 === 0 ? "assertion" : "throw",
  }));
}

const verbs = ["keeps", "returns", "rejects", "accepts", "joins", "drops", "reads", "counts"];
const nouns = ["an empty list", "the last entry", "a long name", "two equal keys", "the first line", "a missing value"];

/** A title like any other, so that it cannot be told from a real one by its looks. */
function strayTitle(random: string): string {
  const number = (at: number): number => Number.parseInt(random.slice(at, at + 6), 16);
  return `${verbs[number(0) % verbs.length] ?? ""} ${nouns[number(6) % nouns.length] ?? ""} ${number(12)}`;
}
