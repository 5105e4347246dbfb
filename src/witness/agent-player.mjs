// Plays a scripted agent inside the sandbox: edits, commands and words, in order, in the work tree it is started in.
// What it may touch is what the sandbox shows; it checks no path itself. One JSON object a line goes to standard output.
import { spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const badStepExit = 70;
const excerptCharacters = 2000;
/** Longest text of one line: escaped it stays below what the executor takes as one line (64 KiB). */
const textCharacters = 8000;
/** How long to wait for the rest of a program's output when something it started still holds the pipes. */
const lingerMs = 300;

/** Waits when the pipe is full; another process that shares it may have made it non-blocking. */
function writeSome(bytes, at) {
  try {
    return writeSync(1, bytes, at);
  } catch (error) {
    if (error.code !== "EAGAIN") throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    return 0;
  }
}

function tell(type, text, more = {}) {
  const line = Buffer.from(`${JSON.stringify({ type, text: text.slice(0, textCharacters), ...more })}\n`);
  for (let at = 0; at < line.length;) at += writeSome(line, at);
}

function makeParent(path) {
  mkdirSync(dirname(path), { recursive: true });
}

function replaceOnce({ path, find, replace }) {
  const text = readFileSync(path, "utf8");
  const found = text.split(find).length - 1;
  if (found !== 1) throw new Error(`${path}: the text to replace is there ${found} times, not once`);
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
}

/** Ends with the program itself, not with what it left behind holding its pipes. */
function run(argv) {
  return new Promise((resolve) => {
    const child = spawn(argv[0], argv.slice(1), { stdio: ["ignore", "pipe", "pipe"] });
    const seen = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"]) {
      child[stream]
        .setEncoding("utf8")
        .on("data", (text) => (seen[stream] = (seen[stream] + text).slice(-excerptCharacters)));
    }
    child.on("error", (error) => resolve({ exit: null, error: error.message }));
    child.on("exit", (exit, signal) => {
      const end = () => resolve({ exit, signal, ...seen });
      child.on("close", end);
      setTimeout(end, lingerMs);
    });
  });
}

const plays = {
  write({ path, text }) {
    makeParent(path);
    writeFileSync(path, text);
    tell("write", path);
  },
  edit(step) {
    replaceOnce(step);
    tell("edit", step.path);
  },
  append({ path, text }) {
    makeParent(path);
    appendFileSync(path, text);
    tell("append", path);
  },
  delete(path) {
    rmSync(path, { recursive: true });
    tell("delete", path);
  },
  symlink({ path, target }) {
    makeParent(path);
    symlinkSync(target, path);
    tell("symlink", path);
  },
  chmod({ path, mode }) {
    chmodSync(path, Number.parseInt(mode, 8));
    tell("chmod", path);
  },
  async run(argv) {
    tell("run", argv.join(" "));
    const ended = await run(argv);
    tell("ran", `exit ${ended.exit ?? ended.signal ?? ended.error}`, ended);
  },
  say: (text) => tell("say", text),
  sleep_ms: (milliseconds) => sleep(milliseconds),
};

async function play(script) {
  for (const [index, step] of script.steps.entries()) {
    const [kind] = Object.keys(step);
    try {
      await plays[kind](step[kind]);
    } catch (error) {
      tell("bad-step", `step ${index + 1} (${kind}): ${error.message}`);
      return badStepExit;
    }
  }
  return script.exit ?? 0;
}

process.exit(await play(JSON.parse(readFileSync(process.argv[2], "utf8"))));
