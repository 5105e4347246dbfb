import type { ToolchainWishes, TreeReader } from "../../ports/index.ts";
import { readText } from "./tree-reader.ts";

/** What the tree asks of the machine: `engines.node`, `packageManager`, `.nvmrc`, `.node-version`; the package root's before the repository's. */
export async function readToolchainWishes(reader: TreeReader, roots: readonly string[]): Promise<ToolchainWishes> {
  const directories = [...new Set([...roots, ""])];
  const manifests = await Promise.all(directories.map((directory) => readManifest(reader, directory)));
  const files = directories.flatMap((directory) => [".nvmrc", ".node-version"].map((name) => join(directory, name)));
  const versions = await Promise.all(files.map((file) => readText(reader, file)));
  return {
    node:
      manifests.map((manifest) => text(record(manifest["engines"])["node"])).find((range) => range !== null) ?? null,
    nodeVersionFile: versions.find((version) => version !== null)?.trim() ?? null,
    packageManager: manifests.map((manifest) => text(manifest["packageManager"])).find((name) => name !== null) ?? null,
  };
}

function join(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}

/** A manifest that does not parse asks for nothing here; installing from it is what fails, with its reason. */
async function readManifest(reader: TreeReader, directory: string): Promise<Record<string, unknown>> {
  const found = await readText(reader, join(directory, "package.json"));
  try {
    return record(JSON.parse(found ?? "{}"));
  } catch {
    return {};
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
