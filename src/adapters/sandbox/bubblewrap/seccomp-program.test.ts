import { expect, test } from "vitest";
import { filterArchitecture, seccompProgram } from "./seccomp-program.ts";
import {
  absentCalls,
  auditArchitecture,
  callNumber,
  forbiddenCalls,
  inspectedCalls,
  type FilterArchitecture,
} from "./system-calls.ts";

const allow = 0x7fff0000;
const eperm = 0x00050001;
const enosys = 0x00050026;
const kill = 0x80000000;
const architectures: readonly FilterArchitecture[] = ["x86_64", "arm64"];

interface Call {
  readonly number: number;
  readonly architecture?: number;
  readonly arguments?: readonly [number, number];
}

/** A second, independent reading of classic BPF: what the kernel would answer for one call. */
function interpret(program: Uint8Array, architecture: FilterArchitecture, call: Call): number {
  const [first, second] = call.arguments ?? [0, 0];
  const words = new Map([
    [0, call.number],
    [4, call.architecture ?? auditArchitecture[architecture]],
    [16, first],
    [24, second],
  ]);
  const view = new DataView(program.buffer);
  let accumulator = 0;
  for (let at = 0; at * 8 < program.length; at += 1) {
    const [code, jt, jf] = [view.getUint16(at * 8, true), view.getUint8(at * 8 + 2), view.getUint8(at * 8 + 3)];
    const k = view.getUint32(at * 8 + 4, true);
    const jump = (holds: boolean): void => void (at += holds ? jt : jf);
    if (code === 0x06) return k;
    if (code === 0x20) accumulator = words.get(k) ?? Number.NaN;
    else if (code === 0x15) jump(accumulator === k);
    else if (code === 0x35) jump(accumulator >= k);
    else if (code === 0x45) jump((BigInt(accumulator) & BigInt(k)) !== 0n);
    else throw new Error(`unknown operation ${code}`);
  }
  throw new Error("ran off the end");
}

const cases = architectures.flatMap((architecture) => [
  ...Object.entries(forbiddenCalls).map(([name, numbers]) => ({ architecture, name, numbers, answer: eperm })),
  ...Object.entries(absentCalls).map(([name, numbers]) => ({ architecture, name, numbers, answer: enosys })),
]);

test.each(cases)("on $architecture $name is refused", ({ architecture, numbers, answer }) => {
  const number = callNumber(numbers, architecture);
  expect(interpret(seccompProgram(architecture), architecture, { number })).toBe(answer);
});

const ordinary: Readonly<Record<FilterArchitecture, Readonly<Record<string, number>>>> = {
  x86_64: { read: 0, write: 1, openat: 257, execve: 59, futex: 202, kill: 62, mmap: 9, epoll_wait: 232, wait4: 61 },
  arm64: { read: 63, write: 64, openat: 56, execve: 221, futex: 98, kill: 129, mmap: 222, wait4: 260 },
};

test.each(
  architectures.flatMap((each) => Object.entries(ordinary[each]).map(([name, number]) => ({ each, name, number }))),
)("on $each $name is allowed", ({ each, number }) => {
  expect(interpret(seccompProgram(each), each, { number })).toBe(allow);
});

const namespaceFlags = [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000];

test.each(architectures)("on %s clone makes threads and processes, and no namespace", (architecture) => {
  const program = seccompProgram(architecture);
  const clone = (flags: number): number =>
    interpret(program, architecture, { number: callNumber(inspectedCalls.clone, architecture), arguments: [flags, 0] });
  expect([clone(0x11), clone(0x003d0f00), clone(0x01200011)]).toEqual([allow, allow, allow]);
  expect(namespaceFlags.map((flag) => clone(flag | 0x11))).toEqual(namespaceFlags.map(() => eperm));
});

test.each(architectures)("on %s TIOCSTI and TIOCLINUX are refused, other requests are not", (architecture) => {
  const program = seccompProgram(architecture);
  const ioctl = (request: number): number =>
    interpret(program, architecture, {
      number: callNumber(inspectedCalls.ioctl, architecture),
      arguments: [0, request],
    });
  expect([0x5412, 0x541c, 0x5401, 0x5413].map(ioctl)).toEqual([eperm, eperm, allow, allow]);
});

test.each(architectures)(
  "on %s only sockets that stay in the namespace can be made: no VSOCK, ALG, PACKET, BLUETOOTH",
  (architecture) => {
    const program = seccompProgram(architecture);
    const socket = (family: number): number =>
      interpret(program, architecture, {
        number: callNumber(inspectedCalls.socket, architecture),
        arguments: [family, 1],
      });
    expect([1, 2, 10, 16].map(socket)).toEqual([allow, allow, allow, allow]);
    expect(new Set([0, 3, 17, 31, 38, 40, 44].map(socket))).toEqual(new Set([0x00050061]));
  },
);

test("a call through another processor's table ends the process", () => {
  const i386 = 0x40000003;
  expect(interpret(seccompProgram("x86_64"), "x86_64", { number: 1, architecture: i386 })).toBe(kill);
  expect(interpret(seccompProgram("arm64"), "arm64", { number: 1, architecture: auditArchitecture.x86_64 })).toBe(kill);
});

test.each([0x40000000, 0x40000000 + 521, 0x40000000 + 101])("x32 call %d is refused", (number) => {
  expect(interpret(seccompProgram("x86_64"), "x86_64", { number })).toBe(eperm);
});

test("an unknown processor is refused, not guessed", () => {
  expect(filterArchitecture("x64")).toBe("x86_64");
  expect(filterArchitecture("arm64")).toBe("arm64");
  for (const other of ["riscv64", "ia32", "arm", "s390x", ""]) {
    expect(() => filterArchitecture(other)).toThrow(expect.objectContaining({ code: "processor-unknown" }));
  }
});
