"use strict";
/*
 * Watches the processes in which jest runs test files. Part of the witness: read-only, beside its reporter for jest, and
 * loaded by it alone.
 */
const childProcess = require("node:child_process");

const workerScript = /\/jest-worker\/build\/(?:workers\/)?processChild\.js$/u;
/** What jest-worker sends to a process that shall end. */
const endOfWorker = 2;

/** Processes for tests that were started since this file was loaded: jest's map of files is made before that. */
let workers = 0;
/** How processes ended that jest did not end. */
const crashes = [];
const { fork } = childProcess;

/**
 * An error after a file's last test ends its process, and jest says nothing of it; of a file whose process died it says
 * nothing either where the next process did better. A process that jest itself ended is none of these.
 */
function watchEnd(child) {
  let asked = false;
  const { send: tell, kill } = child;
  child.send = function watchedSend(message, ...rest) {
    if (Array.isArray(message) && message[0] === endOfWorker) asked = true;
    return tell.call(this, message, ...rest);
  };
  child.kill = function watchedKill(...rest) {
    asked = true;
    return kill.apply(this, rest);
  };
  child.on("exit", (code, signal) => {
    if (asked && (code === 0 || code === null)) return;
    crashes.push(`a process of tests ended by itself: ${signal === null ? `exit code ${code}` : signal}`);
  });
}

childProcess.fork = function watchedFork(script, ...rest) {
  const child = fork.call(this, script, ...rest);
  if (!workerScript.test(String(script))) return child;
  workers += 1;
  watchEnd(child);
  return child;
};

module.exports = { crashes, startedWorkers: () => workers };
