/** Packs the built package and lets publint and attw judge the archive that would be published.
 * `check-package.ts [ROOT]`; exits 1 on a problem. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const root = path.resolve(process.argv[2] ?? path.dirname(import.meta.dirname));
const out = path.join(root, ".cache", "package");

const run = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).status === 0;

/** The one archive that `npm pack` leaves; the build before it is the caller's, so that it happens once. */
const packArchive = (): string => {
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(out, { recursive: true });
  if (!run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", out]))
    throw new Error("npm pack failed");
  const [archive] = fs.readdirSync(out);
  if (archive === undefined) throw new Error("npm pack left no archive");
  return path.join(out, archive);
};

const archive = packArchive();
const judged = [run("publint", ["run", archive, "--strict"]), run("attw", [archive, "--profile", "esm-only"])];
process.exitCode = judged.every(Boolean) ? 0 : 1;
