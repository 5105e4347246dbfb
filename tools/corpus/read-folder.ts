import fs from "node:fs";
import path from "node:path";

/** Files below a folder as text by path, sorted; none where the folder is not there. */
export function readFolder(folder: string): Readonly<Record<string, string>> {
  if (!fs.existsSync(folder)) return {};
  const names = fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  const files = names.filter((name) => fs.lstatSync(path.join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, fs.readFileSync(path.join(folder, name), "utf8")]));
}
