"use strict";
/*
 * The first half of the witness: loaded by `--require` before anything of the repository.
 * It opens the authenticated channel in the runner's main process, and only there: the descriptor's
 * number is taken out of the environment, so no child finds it, and descriptors are closed on exec.
 *
 * One frame: 4 bytes length of what follows, 8 bytes sequence from 0, 32 bytes
 * HMAC-SHA256(key, sequence || payload), payload (JSON in UTF-8). Numbers are big-endian.
 */
const crypto = require("node:crypto");
const fs = require("node:fs");

const keyBytes = 32;
/** The exit code of a run whose channel died: never 0, and known to the executor. */
const deadChannel = 98;

// Captured before the repository's code can replace them.
const { apply, ownKeys } = Reflect;
const { isArray } = Array;
const { stringify } = JSON;
const { wait } = Atomics;
const { exit } = process;
const { createHmac } = crypto;
const { readSync, writeSync, fstatSync, constants } = fs;
const { alloc, concat, from } = Buffer;
const hmacUpdate = crypto.Hmac.prototype.update;
const hmacDigest = crypto.Hmac.prototype.digest;
const { writeUInt32BE, writeBigUInt64BE } = Buffer.prototype;
const { subarray } = Uint8Array.prototype;
const clock = new Int32Array(new SharedArrayBuffer(4));
const socketType = constants.S_IFSOCK;
const typeMask = constants.S_IFMT;

/** JSON text without looking at any `toJSON`, so that a patched prototype changes nothing. */
function jsonText(value) {
  if (value === null || typeof value !== "object") return stringify(value) ?? "null";
  let text = "";
  if (isArray(value)) {
    for (let index = 0; index < value.length; index += 1) text += (index === 0 ? "" : ",") + jsonText(value[index]);
    return "[" + text + "]";
  }
  const keys = ownKeys(value);
  for (let index = 0; index < keys.length; index += 1) {
    if (typeof keys[index] !== "string") continue;
    text += (text === "" ? "" : ",") + stringify(keys[index]) + ":" + jsonText(value[keys[index]]);
  }
  return "{" + text + "}";
}

/** Waits two milliseconds without an event loop, for a descriptor that is not ready. */
function pause() {
  apply(wait, Atomics, [clock, 0, 0, 2]);
}

/** Reads the key the executor wrote right after the start; null when the channel closed before it was whole. */
function readKey(descriptor) {
  const key = alloc(keyBytes);
  let filled = 0;
  while (filled < keyBytes) {
    try {
      const read = readSync(descriptor, key, filled, keyBytes - filled, null);
      if (read === 0) return null;
      filled += read;
    } catch (error) {
      if (error.code !== "EAGAIN" && error.code !== "EINTR") return null;
      pause();
    }
  }
  return key;
}

/** Writes all bytes, whatever the descriptor's mode; false when nobody reads any more. */
function writeAll(descriptor, bytes) {
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written, bytes.length - written, null);
    } catch (error) {
      if (error.code !== "EAGAIN" && error.code !== "EINTR") return false;
      pause();
    }
  }
  return true;
}

function frameOf(key, sequence, payload) {
  const head = alloc(12);
  apply(writeUInt32BE, head, [8 + keyBytes + payload.length, 0]);
  apply(writeBigUInt64BE, head, [sequence, 4]);
  const counter = apply(subarray, head, [4, 12]);
  const hmac = createHmac("sha256", key);
  apply(hmacUpdate, hmac, [counter]);
  apply(hmacUpdate, hmac, [payload]);
  return concat([head, apply(hmacDigest, hmac, []), payload]);
}

/** The function that sends one message; after the channel died it only keeps the exit code bad. */
function createSend(descriptor, key) {
  let sequence = 0n;
  let dead = false;
  return function send(message) {
    if (!dead) {
      dead = !writeAll(descriptor, frameOf(key, sequence, from(jsonText(message), "utf8")));
      sequence += 1n;
    }
    if (dead) process.exitCode = deadChannel;
    return !dead;
  };
}

function isSocket(descriptor) {
  try {
    return (fstatSync(descriptor).mode & typeMask) === socketType;
  } catch {
    return false;
  }
}

function openChannel(text) {
  const descriptor = Number(text);
  if (!Number.isInteger(descriptor) || descriptor < 3 || !isSocket(descriptor)) {
    process.stderr.write("trueup: the witness's channel is not a socket\n");
    apply(exit, process, [deadChannel]);
  }
  const key = readKey(descriptor);
  if (key === null) {
    process.stderr.write("trueup: the witness's channel closed before its key came\n");
    apply(exit, process, [deadChannel]);
  }
  const send = createSend(descriptor, key);
  // A signal would open the inspector to whoever reaches loopback, which is every test.
  process.on("SIGUSR1", () => undefined);
  send({ type: "hello", version: 1, node: process.versions.node, argv: process.argv.slice(1) });
  Object.defineProperty(process, Symbol.for("trueup.witness.send"), {
    value: send,
    configurable: true,
    enumerable: false,
  });
}

/** In the process of one file of node:test: an empty line, by which the reporter knows whose events follow. */
function markFile() {
  if (process.env.NODE_TEST_CONTEXT !== "child-v8" || process.env.TRUEUP_MARK === undefined) return;
  delete process.env.TRUEUP_MARK;
  writeSync(1, "\n");
}

const channel = process.env.TRUEUP_CHANNEL;
delete process.env.TRUEUP_CHANNEL;
if (channel === undefined) markFile();
else openChannel(channel);
