/**
 * `build-action.ts [DIR]`: what the GitHub Action runs, as one directory that needs no installation: our own code and every
 * library in few files, the files that are mounted into the clean room, and the licences. Written to `action/dist` unless
 * DIR is given. `--check` builds in a temporary directory, far from any `node_modules`, and starts it.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { builtinModules } from "node:module";
import os from "node:os";
import path from "node:path";
import { build } from "vite";

const root = path.dirname(import.meta.dirname);
/** Code looks for its package and the witness three levels above itself, here as in the package. */
const lib = path.join("lib", "entry", "action");

const bundle = async (target: string): Promise<void> => {
  await build({
    configFile: false,
    root,
    logLevel: "warn",
    ssr: { noExternal: true, target: "node" },
    build: {
      ssr: "src/entry/action/main.ts",
      outDir: path.join(target, lib),
      emptyOutDir: true,
      copyPublicDir: false,
      target: "node24",
      minify: false,
      rollupOptions: { output: { entryFileNames: "main.js", chunkFileNames: "part-[name].js" } },
    },
  });
};

const readText = (...parts: readonly string[]): string => fs.readFileSync(path.join(root, ...parts), "utf8");

/** Every library that may be in the bundle, with the text of its licence. */
const licences = (): string => {
  const { packages } = JSON.parse(readText("package-lock.json")) as {
    packages: Record<string, { version?: string; license?: string; dev?: boolean; optional?: boolean }>;
  };
  return Object.entries(packages)
    .filter(([place, { dev, optional }]) => place !== "" && dev !== true && optional !== true)
    .map(([place, { version, license }]) => {
      const directory = path.join(root, place);
      const file = fs.readdirSync(directory).find((name) => /^licen[cs]e/iu.test(name));
      const text = file === undefined ? "" : `\n${readText(place, file).trim()}\n`;
      return `## ${place.replace(/^.*node_modules\//u, "")} ${version ?? ""} (${license ?? "see the package"})\n${text}`;
    })
    .join("\n");
};

const buildInto = async (target: string): Promise<void> => {
  fs.rmSync(target, { recursive: true, force: true });
  await bundle(target);
  const witness = path.join(root, "src", "witness");
  const shipped = fs.readdirSync(witness).filter((name) => /\.(cjs|mjs|py)$/u.test(name));
  fs.mkdirSync(path.join(target, "witness"), { recursive: true });
  for (const name of shipped) fs.copyFileSync(path.join(witness, name), path.join(target, "witness", name));
  const { version } = JSON.parse(readText("package.json")) as { version: string };
  const manifest = { name: "trueup-action", version, private: true, type: "module" };
  fs.writeFileSync(path.join(target, "package.json"), `${JSON.stringify(manifest)}\n`);
  fs.writeFileSync(path.join(target, "LICENSES.md"), `# Libraries in this bundle\n\n${licences()}`);
};

/** Imports of the bundle's own files that are neither Node's nor its own. */
const strangers = (target: string): readonly string[] =>
  fs
    .readdirSync(path.join(target, lib))
    .flatMap((name) => [
      ...fs
        .readFileSync(path.join(target, lib, name), "utf8")
        .matchAll(/^(?:import|export)\b[^"'\n]*["']([^"']+)["'];?$/gmu),
    ])
    .map(([, from = ""]) => from)
    .filter((from) => !from.startsWith("./") && !from.startsWith("node:") && !builtinModules.includes(from));

/** Starts it with an event that must be refused: all of it loads, from there, and it never passes by mistake. */
const startsThere = (target: string): boolean => {
  const env = { PATH: "/usr/bin:/bin", GITHUB_ACTIONS: "true", GITHUB_EVENT_NAME: "pull_request_target", HOME: target };
  const event = path.join(target, "event.json");
  fs.writeFileSync(event, "{}");
  const { status, stderr } = spawnSync(process.execPath, [path.join(target, lib, "main.js")], {
    cwd: target,
    env: { ...env, GITHUB_EVENT_PATH: event, GITHUB_WORKSPACE: target },
    encoding: "utf8",
  });
  process.stdout.write(stderr);
  return status === 2 && stderr.includes("ci-event-invalid");
};

const check = async (): Promise<boolean> => {
  const target = fs.mkdtempSync(path.join(os.tmpdir(), "trueup-action-"));
  try {
    await buildInto(target);
    const strange = strangers(target);
    for (const from of strange) process.stdout.write(`the bundle imports ${from}\n`);
    const main = /^ *main: *(\S+)$/mu.exec(readText("action", "action.yml"))?.[1];
    const named = main === path.posix.join("dist", lib.split(path.sep).join("/"), "main.js");
    if (!named) process.stdout.write(`action.yml names ${main}, which is not what is built\n`);
    return strange.length === 0 && named && startsThere(target);
  } finally {
    fs.rmSync(target, { recursive: true, force: true });
  }
};

const [wanted] = process.argv.slice(2);
if (wanted === "--check") process.exitCode = (await check()) ? 0 : 1;
else await buildInto(path.resolve(wanted ?? path.join(root, "action", "dist")));
