import type { Claim } from "../facts/index.ts";

const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const count = String.raw`(\d{1,6}|${words.join("|")}|a|zero)`;
const kind = String.raw`(?:(?:new|more|additional|unit|regression|passing|failing|test|vitest)\s+){0,3}`;
const tests = String.raw`(?:tests?|test cases?|cases|specs?)\b`;

/** "added two tests", "two tests were appended", "3 new tests". */
const addedForms: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:add(?:ed|s|ing)?|append(?:ed|s)?|wrote|writes|written|creat(?:ed|es)|includ(?:ed|es))\s+${count}\s+${kind}${tests}`,
    "giu",
  ),
  new RegExp(
    String.raw`\b${count}\s+${kind}${tests}\s+(?:were\s+|was\s+|have been\s+|has been\s+|are\s+|is\s+)?(?:added|appended|written|created)`,
    "giu",
  ),
  new RegExp(String.raw`\b${count}\s+(?:new|additional)\s+${kind}${tests}`, "giu"),
];

/** "15 pass", "17 tests are passing", "17/17 passed", "17 of 17 tests pass". */
const passedForms: readonly RegExp[] = [
  new RegExp(
    String.raw`\b${count}(?:\s*(?:\/|of|out of)\s*\d{1,6})?\s+(?:${kind}${tests}\s+)?(?:now\s+|all\s+|are\s+|have\s+|is\s+){0,2}pass(?:es|ed|ing)?\b`,
    "giu",
  ),
];

const allForms: readonly RegExp[] = [
  /\ball\s+(?:of\s+)?(?:the\s+|our\s+|my\s+)?(?:\w+\s+){0,2}(?:tests?|checks?|specs?|suites?)\s+(?:\w+\s+){0,2}(?:pass(?:es|ed|ing)?|green|succeed(?:ed)?)\b/giu,
  /\b(?:the\s+|full\s+|whole\s+|entire\s+)(?:\w+\s+)?(?:tests?|suite)\s+(?:now\s+|all\s+|is\s+|are\s+){0,2}(?:pass(?:es|ed|ing)?|green)\b/giu,
  /\b(?:everything|all)\s+(?:now\s+|is\s+)?(?:pass(?:es|ed|ing)?|green)\b/giu,
  /\btests?\s+(?:are\s+)?all\s+(?:pass(?:es|ed|ing)?|green)\b/giu,
];

/** Longer texts are read at their end, where agents sum up. */
const maxChars = 20_000;

/** Reads what plain English claims of tests, as well as may be: for display and warnings only, nothing decides on it. */
export function parseClaim(text: string): Claim {
  const read = text.slice(-maxChars).replace(/[*_`]/gu, "");
  return {
    text,
    tests_added: lastCount(read, addedForms),
    tests_passed: lastCount(read, passedForms),
    says_all_pass: allForms.some((form) =>
      [...read.matchAll(form)].some((match) => !isDenied(read, match.index) && !isHedged(match[0])),
    ),
  };
}

/** The last number said: "15 passed before, now 17 pass" claims 17. */
function lastCount(text: string, forms: readonly RegExp[]): number | null {
  const found = forms.flatMap((form) =>
    [...text.matchAll(form)]
      .filter((match) => !isDenied(text, match.index))
      .map((match) => ({ at: match.index, word: match[1] ?? "" })),
  );
  const last = found.sort((a, b) => a.at - b.at).at(-1);
  return last === undefined ? null : toNumber(last.word.toLowerCase());
}

function isDenied(text: string, at: number): boolean {
  return /(?:\bnot|\bnever|n't|\bunless|\buntil|\bwithout|\bwhether|\bif|\bcould|\bshould|\bfailed to)\s+(?:\w+\s+){0,2}$/iu.test(
    text.slice(Math.max(0, at - 60), at),
  );
}

function isHedged(phrase: string): boolean {
  return /\b(?:not|never|no longer|should|must|would|might|may|cannot|can)\b|n't/iu.test(phrase);
}

function toNumber(word: string): number {
  if (word === "a") return 1;
  return words.includes(word) ? words.indexOf(word) : Number(word === "zero" ? 0 : word);
}
