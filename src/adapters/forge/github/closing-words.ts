/** The forge's own words before a reference; a reference is `#N`, `owner/name#N`, or the issue's address. */
const closing =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?\s+(?:https?:\/\/[^\s/]+\/([\w.-]+\/[\w.-]+)\/issues\/(\d{1,9})\b|([\w.-]+\/[\w.-]+)?#(\d{1,9})\b)/giu;

/**
 * Numbers of the issues of `repository` that a pull request with this text closes, sorted. Rather one too many than one too
 * few: a reference in a comment or a code block counts, since a contract that might hold must be looked at.
 */
export function closedNumbers(text: string, repository: string): readonly number[] {
  const numbers = [...text.matchAll(closing)].flatMap(([, byAddress, atAddress, byName, atName]) => {
    const named = byAddress ?? byName;
    const here = named === undefined || named.toLowerCase() === repository.toLowerCase();
    return here ? [Number(atAddress ?? atName)] : [];
  });
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}
