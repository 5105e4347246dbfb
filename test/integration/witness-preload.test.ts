import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import { decodeChannel } from "../../src/core/test-report/index.ts";

const preload = path.join(import.meta.dirname, "../../src/witness/pre.cjs");
const key = Buffer.alloc(32, 9);
const takeSend = `const send = process[Symbol.for("trueup.witness.send")];`;
const end = `{ type: "end", reason: "passed", cases: [], modules: [], unhandled: [], counts: { cases: 0, passed: 0, failed: 0 }, closure: [] }`;

interface Options {
  /** What stands on descriptor 4: a socket pair's end, a file of the machine, or nothing. */
  readonly descriptor?: "socket" | "ignore";
  readonly channel?: string;
  readonly hangUp?: boolean;
  readonly withoutKey?: boolean;
}

async function run(
  script: string,
  options: Options = {},
): Promise<{ code: number | null; bytes: Buffer; stdout: string; stderr: string }> {
  const socket = options.descriptor !== "ignore";
  const child = spawn(process.execPath, ["--require", preload, "-e", script], {
    stdio: ["ignore", "pipe", "pipe", "ignore", socket ? "pipe" : "ignore"],
    env: options.channel === "" ? {} : { TRUEUP_CHANNEL: options.channel ?? "4" },
  });
  const chunks: Buffer[] = [];
  const text = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (text.stderr += chunk.toString()));
  const channel = socket ? (child.stdio[4] as Duplex) : null;
  channel?.on("error", () => undefined);
  channel?.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    if (options.hangUp === true) channel.destroy();
  });
  if (options.withoutKey === true) channel?.end();
  else channel?.write(key);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, bytes: Buffer.concat(chunks), ...text };
}

describe("the witness's preload", () => {
  it("says hello before the program, hides its descriptor, and signs what it sends", async () => {
    const ran = await run(`${takeSend} console.log(process.env.TRUEUP_CHANNEL); send(${end});`);
    const decoded = decodeChannel(ran.bytes, key);
    expect(decoded.faults).toEqual([]);
    expect(decoded.messages.map((message) => message.type)).toEqual(["hello", "end"]);
    expect(ran.stdout).toBe("undefined\n");
    expect(ran.code).toBe(0);
  });

  it("writes a message far larger than the socket's buffer whole", async () => {
    const closure = `Array.from({ length: 200000 }, (_, index) => "/repo/some/long/path/" + index)`;
    const ran = await run(`${takeSend} send({ ...${end}, closure: ${closure} });`);
    expect(ran.bytes.length).toBeGreaterThan(5_000_000);
    expect(decodeChannel(ran.bytes, key).faults).toEqual([]);
  });

  it("[E12] patched primitives change nothing that is sent", async () => {
    const patch = `
      for (const prototype of [Object.prototype, Array.prototype, String.prototype]) prototype.toJSON = () => "forged";
      JSON.stringify = () => '"forged"';
      Array.isArray = () => false;
      require("node:fs").writeSync = () => { throw new Error("patched"); };
      require("node:crypto").createHmac = () => { throw new Error("patched"); };
      require("node:crypto").Hmac.prototype.update = () => { throw new Error("patched"); };
      Buffer.concat = () => { throw new Error("patched"); };`;
    const ran = await run(`${takeSend} ${patch} send({ ...${end}, closure: ["/repo/a"] });`);
    const decoded = decodeChannel(ran.bytes, key);
    expect(decoded.faults).toEqual([]);
    expect(decoded.messages.at(-1)).toMatchObject({ type: "end", closure: ["/repo/a"] });
  });

  it("does nothing in a process that was given no channel", async () => {
    const ran = await run(`console.log(String(process[Symbol.for("trueup.witness.send")]));`, { channel: "" });
    expect(ran.stdout).toBe("undefined\n");
    expect(ran.code).toBe(0);
  });

  it.each<[string, Options]>([
    ["a descriptor that is no socket", { descriptor: "ignore" }],
    ["a number that is no descriptor", { channel: "77" }],
    ["standard output", { channel: "1" }],
    ["no number", { channel: "x" }],
    ["a channel that closes before the key came", { withoutKey: true }],
  ])("[E12] %s ends the run at once with 98, never as a quiet one", async (_name, options) => {
    const ran = await run(`console.log("ran");`, options);
    expect(ran.code).toBe(98);
    expect(ran.stdout).toBe("");
  });

  it("[E7] a channel that dies on the way makes the exit 98 although all went well", async () => {
    const closure = `Array.from({ length: 200000 }, (_, index) => "/repo/some/long/path/" + index)`;
    const ran = await run(`${takeSend} for (let n = 0; n < 3; n += 1) send({ ...${end}, closure: ${closure} });`, {
      hangUp: true,
    });
    expect(ran.code).toBe(98);
  });
});
