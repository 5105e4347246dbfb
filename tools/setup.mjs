/**
 * Makes this checkout ready: dependencies from the lockfile, a recent enough Node, git and bubblewrap.
 * Plain JavaScript without dependencies, because it runs before there are any, on Node 18 and up.
 * `node tools/setup.mjs [-- command args...]` runs the command afterwards under the right Node: a shell that
 * already found the old `node` on its path would keep using it.
 */
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const binDir = path.join(root, "node_modules", ".bin");
/** The first Node that runs our TypeScript sources without a flag. */
const oldestNode = [22, 18];
const pinnedNode = "24.22.3";

const say = (text) => process.stderr.write(`setup: ${text}\n`);

class SetupError extends Error {}

/** The path that the machine itself would use: without the `.bin` folders that npm puts in front. */
function machinePath() {
  const dirs = (process.env.PATH ?? "").split(path.delimiter);
  return dirs.filter((dir) => !dir.endsWith(path.join("node_modules", ".bin"))).join(path.delimiter);
}

function onPath(name) {
  const names = process.platform === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name];
  return machinePath()
    .split(path.delimiter)
    .some((dir) => names.some((file) => dir !== "" && fs.existsSync(path.join(dir, file))));
}

/** True when `file` runs and says a version of at least `oldestNode`. */
function isRecentNode(file) {
  const { status, stdout } = spawnSync(file, ["--version"], {
    encoding: "utf8",
    env: { ...process.env, PATH: machinePath(), NODE_OPTIONS: "" },
  });
  const match = /^v(\d+)\.(\d+)\./.exec(stdout ?? "");
  if (status !== 0 || match === null) return false;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
}

const readJson = (file) => JSON.parse(fs.readFileSync(file, "utf8"));

/** Why `node_modules` does not hold what the lockfile names, or null when it does. */
function outOfStep() {
  const installed = path.join(root, "node_modules", ".package-lock.json");
  if (!fs.existsSync(installed)) return "node_modules is missing";
  let have;
  try {
    have = readJson(installed).packages;
  } catch {
    return "node_modules is damaged";
  }
  for (const [where, want] of Object.entries(readJson(path.join(root, "package-lock.json")).packages)) {
    if (where === "") continue;
    const got = have[where];
    if (got === undefined && want.optional) continue;
    const same = got?.version === want.version && got?.integrity === want.integrity;
    if (!same) return `${where} is not at ${want.version}`;
    if (!fs.existsSync(path.join(root, where, "package.json"))) return `${where} is gone`;
  }
  return null;
}

function run(command, args, env = {}) {
  const shell = process.platform === "win32";
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    env: { ...process.env, PATH: machinePath(), ...env },
    shell,
  });
  return error === undefined && status === 0;
}

function installPackages() {
  const reason = outOfStep();
  if (reason === null) return;
  say(`${reason}: npm ci`);
  if (!run("npm", ["ci", "--include=dev", "--loglevel=error"])) {
    throw new SetupError("`npm ci` failed (its messages are above). Mend what they name and start again.");
  }
}

function installNode() {
  if (isRecentNode("node")) return;
  const local = path.join(binDir, "node");
  if (isRecentNode(local)) return;
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}@${pinnedNode}`;
  say(`Node ${process.version} is too old to run the sources (${oldestNode.join(".")} is needed): npm install ${name}`);
  const done = run("npm", ["install", "--no-save", "--include=dev", "--loglevel=error", name]);
  if (!done || !isRecentNode(local)) {
    throw new SetupError(`no Node for this machine could be added. Install Node 24 yourself and start again.`);
  }
}

/** So that `npx trueup` finds this checkout, not a package of that name elsewhere. */
function linkCommand() {
  const link = path.join(binDir, "trueup");
  if (process.platform === "win32" || fs.existsSync(link)) return;
  fs.rmSync(link, { force: true });
  fs.symlinkSync(path.join("..", "..", "bin", "trueup.js"), link);
}

async function agreed(question) {
  if (process.env.CI || !process.stdin.isTTY || !process.stderr.isTTY) return true;
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question(`setup: ${question} [Y/n] `);
  prompt.close();
  return /^(y|yes|)$/i.test(answer.trim());
}

/** git everywhere; bubblewrap where the sandbox is built from it. */
async function installPrograms() {
  const wanted = [["git", "git"]];
  if (process.platform === "linux") wanted.push(["bwrap", "bubblewrap"]);
  const missing = wanted.filter(([program]) => !onPath(program)).map(([, name]) => name);
  if (missing.length === 0) return;
  const apt = onPath("apt-get");
  const line = apt ? `apt-get update && apt-get install -y ${missing.join(" ")}` : `install ${missing.join(" and ")}`;
  const byHand = new SetupError(`${missing.join(" and ")} missing. Type: ${apt ? `sudo sh -c '${line}'` : line}`);
  if (!apt || process.getuid?.() !== 0) throw byHand;
  say(`${missing.join(" and ")} missing: ${line}`);
  if (!(await agreed("run this now?"))) throw byHand;
  const quiet = { DEBIAN_FRONTEND: "noninteractive" };
  run("apt-get", ["update", "-q"], quiet);
  const done = run("apt-get", ["install", "-y", "-q", "--no-install-recommends", ...missing], quiet);
  if (!done || wanted.some(([program]) => !onPath(program))) throw byHand;
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
};

/** Takes the lock, or gives the process that holds it; 0 when it was just let go. */
function takeLock(lock) {
  const mine = `${lock}.${process.pid}`;
  fs.writeFileSync(mine, String(process.pid));
  try {
    // A link appears whole or not at all, so nobody reads a lock without its owner.
    fs.linkSync(mine, lock);
    return process.pid;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  } finally {
    fs.rmSync(mine, { force: true });
  }
  try {
    return Number(fs.readFileSync(lock, "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return 0;
  }
}

/** One set-up at a time in a checkout: a second one waits, for `npm ci` empties node_modules. */
async function locked(work) {
  const lock = path.join(root, ".cache", "setup.lock");
  fs.mkdirSync(path.dirname(lock), { recursive: true });
  for (let said = false; ;) {
    const holder = takeLock(lock);
    if (holder === process.pid) break;
    if (holder !== 0 && !isAlive(holder)) fs.rmSync(lock, { force: true });
    else if (holder !== 0 && !said) say(`waiting for another set-up (process ${holder})`);
    said ||= holder !== 0;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  try {
    return await work();
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

/** The command after `--`, with our `.bin` first; its exit code and signals become ours. */
function runAfterwards([command, ...args]) {
  const env = { ...process.env, PATH: `${binDir}${path.delimiter}${machinePath()}` };
  const child = spawn(command, args, { stdio: "inherit", env, shell: process.platform === "win32" });
  // A terminal sends Ctrl-C to both of us: passing it on as well would count as a second one.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("error", (error) => {
    say(`cannot run ${command}: ${error.message}`);
    process.exitCode = 127;
  });
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (os.constants.signals[signal] ?? 0);
  });
}

try {
  await locked(async () => {
    installPackages();
    installNode();
    linkCommand();
    await installPrograms();
  });
  const after = process.argv.indexOf("--");
  if (after !== -1) runAfterwards(process.argv.slice(after + 1));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
