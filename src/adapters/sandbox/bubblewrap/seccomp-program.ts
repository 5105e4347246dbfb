import { TrueupError } from "../../../errors.ts";
import {
  absentCalls,
  auditArchitecture,
  callNumber,
  forbiddenCalls,
  inspectedCalls,
  type FilterArchitecture,
} from "./system-calls.ts";

/** One classic BPF instruction: operation, jumps when true and when false, operand. */
type Instruction = readonly [code: number, jt: number, jf: number, k: number];

const loadWord = 0x20;
const jumpEqual = 0x15;
const jumpGreaterEqual = 0x35;
const jumpAnyBit = 0x45;
const answer = 0x06;

const allow = 0x7fff0000;
const killProcess = 0x80000000;
const errno = (code: number): number => 0x00050000 | code;
const eperm = errno(1);
const enosys = errno(38);
const eafnosupport = errno(97);

/** Offsets in `struct seccomp_data`; the arguments' low words, since both processors are little-endian. */
const offset = { number: 0, architecture: 4, argument0: 16, argument1: 24 };

/** CLONE_NEWNS | NEWCGROUP | NEWUTS | NEWIPC | NEWUSER | NEWPID | NEWNET. */
const cloneNewAny = 0x7e020000;
/** Terminal requests that push input into another reader's terminal: TIOCSTI, TIOCLINUX. */
const forbiddenRequests = [0x5412, 0x541c];
/**
 * Address families that stay within the sandbox's own network namespace: UNIX, INET, INET6, NETLINK. Others, VSOCK above
 * all, know no namespaces and lead out of it.
 */
const allowedFamilies = [1, 2, 10, 16];
/** Set in the number of every x32 call. */
const x32Bit = 0x40000000;

/** Answers `value` when the loaded word is `number`. */
const answerFor = (number: number, value: number): Instruction[] => [
  [jumpEqual, 0, 1, number],
  [answer, 0, 0, value],
];

function refuseClone(architecture: FilterArchitecture): Instruction[] {
  return [
    [jumpEqual, 0, 4, callNumber(inspectedCalls.clone, architecture)],
    [loadWord, 0, 0, offset.argument0],
    [jumpAnyBit, 0, 1, cloneNewAny],
    [answer, 0, 0, eperm],
    [answer, 0, 0, allow],
  ];
}

function refuseRequests(architecture: FilterArchitecture): Instruction[] {
  const checks = forbiddenRequests.flatMap((request) => answerFor(request, eperm));
  return [
    [jumpEqual, 0, checks.length + 2, callNumber(inspectedCalls.ioctl, architecture)],
    [loadWord, 0, 0, offset.argument1],
    ...checks,
    [answer, 0, 0, allow],
  ];
}

function refuseFamilies(architecture: FilterArchitecture): Instruction[] {
  const checks = allowedFamilies.flatMap((family) => answerFor(family, allow));
  return [
    [jumpEqual, 0, checks.length + 2, callNumber(inspectedCalls.socket, architecture)],
    [loadWord, 0, 0, offset.argument0],
    ...checks,
    [answer, 0, 0, eafnosupport],
  ];
}

function instructions(architecture: FilterArchitecture): Instruction[] {
  const call = callNumber;
  return [
    [loadWord, 0, 0, offset.architecture],
    [jumpEqual, 1, 0, auditArchitecture[architecture]],
    [answer, 0, 0, killProcess],
    [loadWord, 0, 0, offset.number],
    ...(architecture === "x86_64" ? refuseFrom(x32Bit) : []),
    ...Object.values(forbiddenCalls).flatMap((numbers) => answerFor(call(numbers, architecture), eperm)),
    ...Object.values(absentCalls).flatMap((numbers) => answerFor(call(numbers, architecture), enosys)),
    ...refuseClone(architecture),
    ...refuseRequests(architecture),
    ...refuseFamilies(architecture),
    [answer, 0, 0, allow],
  ];
}

const refuseFrom = (number: number): Instruction[] => [
  [jumpGreaterEqual, 0, 1, number],
  [answer, 0, 0, eperm],
];

/** The filter as the kernel and bubblewrap's `--seccomp` read it: eight bytes an instruction. */
export function seccompProgram(architecture: FilterArchitecture): Uint8Array {
  const list = instructions(architecture);
  const bytes = new DataView(new ArrayBuffer(list.length * 8));
  list.forEach(([code, jt, jf, k], index) => {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, jt);
    bytes.setUint8(index * 8 + 3, jf);
    bytes.setUint32(index * 8 + 4, k >>> 0, true);
  });
  return new Uint8Array(bytes.buffer);
}

/** The table for a processor as Node names it. Throws `processor-unknown`. */
export function filterArchitecture(processor: string): FilterArchitecture {
  if (processor === "x64") return "x86_64";
  if (processor === "arm64") return "arm64";
  throw new TrueupError("processor-unknown", { subject: processor });
}
