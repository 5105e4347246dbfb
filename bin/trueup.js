#!/usr/bin/env node
// Plain JavaScript that any Node parses: it says what to do before a newer Node's syntax is met. CommonJS, since Node
// starts that without its loader of modules.
const { existsSync, lstatSync } = require("node:fs");
const { dirname, isAbsolute, join } = require("node:path");

const root = dirname(__dirname);
// `run` wraps every command of an agent: it has an entry of its own that loads little.
const [, , verb, second, hook] = process.argv;
// So do hooks that hold up each commit, and each step of an agent.
const isQuickHook = verb === "hook" && second === "run" && ["pre-commit", "stop", "pre-tool"].includes(hook);
const room = verb === "run" ? "run" : isQuickHook ? "hook" : "cli";
const source = join(root, "src", "entry", room, "main.ts");
// A checkout runs its sources, so that nobody tries an old build; the published package holds none.
const fromSource = existsSync(source);
const built = join(root, "dist", "entry", room, room === "cli" ? "main.js" : "main.cjs");
const needed = fromSource ? [22, 18] : [22, 13];

const isRecent = () => {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
};

/** The Node that set-up put beside us, for a checkout on a machine with an older one. */
const runUnder = (node) => {
  const { spawn } = require("node:child_process");
  const { constants } = require("node:os");
  const env = { ...process.env, TRUEUP_OWN_NODE: "1" };
  const child = spawn(node, [__filename, ...process.argv.slice(2)], { stdio: "inherit", env });
  // Ctrl-C at a terminal reaches both of us: passing it on as well would count as a second one.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
};

/**
 * Where compiled code is kept, so that a start takes a fraction of the time: in our cache, when nobody else can write
 * there. Relative or unset places are none.
 */
const compiledDirectory = () => {
  const { TRUEUP_CACHE, XDG_CACHE_HOME, HOME } = process.env;
  const absolute = (place) => (place && isAbsolute(place) ? place : null);
  const xdg = absolute(XDG_CACHE_HOME) ?? (absolute(HOME) && join(HOME, ".cache"));
  const cache = absolute(TRUEUP_CACHE) ?? (xdg && join(xdg, "trueup"));
  const info = cache && existsSync(cache) ? lstatSync(cache) : undefined;
  const isOurs = info?.isDirectory() && info.uid === process.geteuid?.() && (info.mode & 0o022) === 0;
  return isOurs ? join(cache, "compiled") : null;
};

const start = () => {
  const compiled = compiledDirectory();
  if (compiled !== null) require("node:module").enableCompileCache?.(compiled);
  if (!fromSource && room !== "cli") return require(built);
  const { pathToFileURL } = require("node:url");
  return import(pathToFileURL(fromSource ? source : built).href);
};

const ownNode = join(root, "node_modules", ".bin", "node");
const alreadyTried = process.env.TRUEUP_OWN_NODE === "1";
delete process.env.TRUEUP_OWN_NODE;
if (isRecent()) {
  start();
} else if (fromSource && existsSync(ownNode) && !alreadyTried) {
  runUnder(ownNode);
} else {
  const next = fromSource ? "Run `node tools/setup.mjs` here, or install Node 24." : "Install Node 24 and start again.";
  process.stderr.write(`trueup: Node ${needed.join(".")} or newer is needed, this is ${process.version}. ${next}\n`);
  process.exitCode = 2;
}
