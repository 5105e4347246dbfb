import { createBubblewrapSandbox, type BubblewrapOptions } from "../../src/adapters/sandbox/bubblewrap/index.ts";
import type { Sandbox } from "../../src/ports/sandbox.ts";

/** Every named attack that each driver is put to, in the words of docs/sandbox.md. */
export const attackWords = {
  remount: "remount the system for writing",
  "write-system": "write `/usr`, `/etc`, `/dev` or the root",
  "bind-mount": "bind something over the system, or mount anything",
  "hidden-file": "read a file of the host, also through a symbolic link in the tree",
  "mount-through-link": "leave a link where a later run mounts",
  "read-only-tree": "write a tree that is bound for reading",
  "host-devices": "change the host's device nodes or files of `/proc`",
  "device-nodes": "make or open a disk, the memory or the kernel's log",
  "kernel-settings": "write the kernel's settings through `/proc/sys`",
  "control-groups": "leave the control group",
  "connect-out": "connect to the host, by address or by abstract name",
  "outside-address": "reach any address outside, by TCP, UDP or IPv6",
  "socket-families": "make a socket of a family without namespaces",
  push: "push to the remote",
  environment: "read the caller's environment",
  "inherited-descriptors": "use a descriptor that the caller had open",
  descriptors: "find any descriptor but the three standard ones",
  "host-processes": "see or signal a process of the host through `/proc`",
  "synthetic-proc": "see any process where `/proc` is synthetic",
  ptrace: "trace another process or read its memory",
  pidfd: "take a descriptor or a signal through a pidfd",
  "readable-runner": "read the runner's binary",
  "namespaces-and-io_uring": "make namespaces; use clone3 or io_uring",
  "kernel-surfaces": "bpf, keyctl, userfaultfd, perf, file handles; push input into a terminal",
  privileges: "become root, by call or by a set-user-id program",
  survivor: "outlive the run by setsid, ignoring every signal",
  memory: "take more memory than allowed and hide it",
  pids: "start more processes than allowed",
  output: "flood the output",
  time: "ignore the wall clock",
  transport: "lose NUL bytes or the end of the output on the way",
} as const;

/** The name of one attack. */
export type AttackName = keyof typeof attackWords;

/** One driver as the table has it. */
export interface SandboxDriver {
  readonly name: string;
  readonly create: (scratch: string) => Sandbox;
  /** Attacks it does not hold against, each with what that means; the suite asserts that they really get through. */
  readonly open: Readonly<Partial<Record<AttackName, string>>>;
}

const createBubblewrap =
  (more: Partial<BubblewrapOptions> = {}) =>
  (scratchDirectory: string): Sandbox =>
    createBubblewrapSandbox({ scratchDirectory, searchPath: process.env["PATH"] ?? "", ...more });

/** bubblewrap on the best rung of this machine, and on the two lower ones. */
export const bubblewrap: SandboxDriver = { name: "bubblewrap", create: createBubblewrap(), open: {} };
export const bubblewrapRungs = (["overlay-user", "copy"] as const).map((workTree) => ({
  name: `bubblewrap, ${workTree}`,
  create: createBubblewrap({ workTree }),
}));

/** All drivers of the table in docs/sandbox.md. */
export const sandboxDrivers: readonly SandboxDriver[] = [bubblewrap];
