import { readFileSync } from "node:fs";
import path from "node:path";

/** The root of the installed package, from sources and from the build alike. */
export function packageRoot(): string {
  return path.resolve(import.meta.dirname, "../../..");
}

/** The version in our own manifest. */
export function readPackageVersion(): string {
  const manifest = JSON.parse(readFileSync(path.join(packageRoot(), "package.json"), "utf8")) as { version: string };
  return manifest.version;
}
