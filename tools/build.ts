/** `build.ts` compiles `src` to `dist` with the plain compiler and copies what is shipped as files. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { build } from "vite";

const root = path.dirname(import.meta.dirname);
const dist = path.join(root, "dist");

/** True for what the package carries beside compiled code: witness files, tables; samples serve tests only. */
const isShipped = (file: string): boolean =>
  /\.(cjs|mjs|py|json)$/.test(file) && !file.split(path.sep).includes("samples");

/**
 * `trueup run` starts with every command of an agent, and hooks with each of its steps or with each commit: their entries
 * become few files, since each one that is loaded costs.
 * Our own sources and the one small library it needs; the others stay where the package installs them.
 */
const bundleQuickEntry = async (room: "run" | "hook"): Promise<void> => {
  await build({
    configFile: false,
    root,
    logLevel: "warn",
    // A library that can only be imported would bring the loader back.
    ssr: { noExternal: ["canonicalize"] },
    build: {
      ssr: `src/entry/${room}/main.ts`,
      outDir: path.join(dist, "entry", room),
      emptyOutDir: false,
      copyPublicDir: false,
      target: "node22",
      minify: false,
      rollupOptions: {
        // CommonJS: Node starts it without the loader of modules, which takes longer than all of our code.
        output: { format: "cjs", entryFileNames: "main.cjs", chunkFileNames: "part-[name].cjs" },
      },
    },
  });
};

fs.rmSync(dist, { recursive: true, force: true });
const compiler = path.join(root, "node_modules", "typescript", "bin", "tsc");
const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
for (const file of fs.readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" }).filter(isShipped)) {
  const target = path.join(dist, file);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.copyFileSync(path.join(root, "src", file), target);
}
await bundleQuickEntry("run");
await bundleQuickEntry("hook");
process.exitCode = status ?? 1;
