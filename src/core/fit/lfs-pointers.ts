import { isIgnored, parseIgnoreFile, encodePath, type IgnoreFile } from "../change/index.ts";

/** The paths that attributes files keep in Git LFS, by the patterns of their lines with `filter=lfs`. */
export function lfsPatterns(
  files: readonly { readonly directory: string; readonly text: string }[],
): readonly IgnoreFile[] {
  return files.map(({ directory, text }) => {
    const lines = text.split(/\r?\n/u).flatMap((line) => {
      const [pattern, ...attributes] = line.trim().split(/\s+/u);
      if (pattern === undefined || pattern.startsWith("#") || pattern.startsWith("!")) return [];
      return attributes.includes("filter=lfs") ? [pattern.replace(/^"(.*)"$/u, "$1")] : [];
    });
    return parseIgnoreFile(encodePath(directory), Buffer.from(lines.join("\n")));
  });
}

/** Whether one of the patterns takes a path. */
export function isLfsPath(files: readonly IgnoreFile[], path: string): boolean {
  const bytes = encodePath(path);
  return files.some(
    (file) => (file.directory === "" || bytes.startsWith(`${file.directory}/`)) && isIgnored([file], bytes, false),
  );
}

/** Whether a file's content is the pointer that stands for what Git LFS keeps elsewhere. */
export function isLfsPointer(text: string): boolean {
  return /^version https:\/\/[^\n]+\/spec\/v1\n(?:[a-z0-9.-]+ [^\n]+\n)*oid sha256:[0-9a-f]{64}\n/u.test(text);
}
