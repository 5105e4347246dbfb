/** One line of at most 100 characters in which nothing mentions, closes, or steers a pipeline; words stay readable. */
export function plainTitle(title: string): string {
  const line = title
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]+/gu, " ")
    .replace(/@(?=\S)|[#!&~%](?=\w)/gu, "$& ")
    .replace(/\bGH-(?=\d)/giu, "GH ")
    .replace(/:\/\//gu, ": //")
    .replace(/\[/gu, "(")
    .replace(/\]/gu, ")")
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/^(?:[/#;:*-]+\s*)+/u, "")
    .replace(/^(fixup|squash|amend) ?! ?/iu, "$1: ");
  return line === "" ? "Change" : Array.from(line).slice(0, 100).join("").trimEnd();
}
