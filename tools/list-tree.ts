import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** Repository-relative paths of regular files that are tracked or would be. */
export const listTree = (root: string): readonly string[] =>
  execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((file) => file !== "" && fs.lstatSync(path.join(root, file), { throwIfNoEntry: false })?.isFile() === true);
