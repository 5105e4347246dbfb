import { expect, test } from "vitest";
import type { SandboxRequest } from "../../../ports/sandbox.ts";
import { bubblewrapArguments } from "./profile.ts";

const system = {
  etc: "/s/etc",
  proc: "/s/proc",
  filter: "/s/f",
  roomPoint: "/s/room",
  devicePoint: "/s/dev",
  topLevel: new Map([
    ["/bin", "usr/bin"],
    ["/lib", null],
  ]),
};
const request: SandboxRequest = {
  phase: "test",
  argv: ["/opt/node", "-e", "--version"],
  cwd: "/repo/a",
  env: { PATH: "/usr/bin" },
  mounts: [
    { kind: "read-only", source: "/store", target: "/repo/node_modules" },
    { kind: "tmpfs", target: "/repo/node_modules/.vite", bytes: 4096 },
    { kind: "writable", source: "/out", target: "/out" },
  ],
  limits: { wall_ms: 1, idle_ms: null, memory_bytes: 1, pids: 1, output_bytes: 1 },
  proc: "synthetic",
};
const make = (more: Partial<SandboxRequest> = {}, roomSource: string | null = "/s/room/tree"): string[] =>
  bubblewrapArguments(
    { ...request, ...more },
    { system, roomSource, devicePoint: "/s/dev", hostHas: (path) => path !== "/proc/keys" },
  );
const text = (argv: readonly string[]): string => ` ${argv.join(" ")} `;

test("every namespace is its own in every phase, also when dependencies are fetched", () => {
  for (const phase of ["fetch", "scripts", "agent", "test"] as const) {
    expect(make({ phase })).toEqual(
      expect.arrayContaining([
        "--unshare-net",
        "--unshare-pid",
        "--disable-userns",
        "--new-session",
        "--die-with-parent",
        "--clearenv",
      ]),
    );
  }
});

test("the room comes before the mounts inside it, and the root is closed after all of them", () => {
  const argv = make();
  const at = (word: string): number => argv.indexOf(word);
  const order = [
    at("/s/room/tree"),
    at("/repo/node_modules"),
    at("/repo/node_modules/.vite"),
    at("/out"),
    argv.lastIndexOf("--remount-ro"),
    at("--"),
  ];
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(argv.slice(argv.lastIndexOf("--remount-ro"))).toEqual([
    "--remount-ro",
    "/",
    "--chdir",
    "/repo/a",
    "--",
    "/opt/node",
    "-e",
    "--version",
  ]);
});

test("every file system in memory has a size", () => {
  const argv = make();
  const mounts = argv.flatMap((word, index) => (word === "--tmpfs" ? [argv[index - 2]] : []));
  expect(mounts.length).toBeGreaterThan(4);
  expect(new Set(mounts)).toEqual(new Set(["--size"]));
  expect(text(argv)).toContain("--tmpfs /dev/shm --remount-ro /dev ");
});

test("a real /proc is closed for writing, and what tells of the machine is hidden as far as this kernel has it", () => {
  const argv = text(make({ proc: "real" }));
  expect(argv).toContain(" --proc /proc --ro-bind /dev/null /proc/kcore ");
  expect(argv).not.toContain("/proc/keys");
  expect(argv).toContain(" --remount-ro /proc ");
});

test("own device nodes take the place of the host's", () => {
  const argv = text(make());
  for (const name of ["null", "zero", "full", "random", "urandom", "tty"]) {
    expect(argv).toContain(` --dev-bind /s/dev/${name} /dev/${name} `);
  }
});

test("a synthetic /proc mounts none", () => {
  const argv = make();
  expect(argv).not.toContain("--proc");
  expect(text(argv)).toContain(" --ro-bind /s/proc/self/stat /proc/self/stat ");
});

test("the room is read-only when asked, and a run without one still has /repo", () => {
  expect(text(make({ roomAccess: "read-only" }))).toContain(" --ro-bind /s/room/tree /repo ");
  expect(text(make())).toContain(" --bind /s/room/tree /repo ");
  expect(text(make({}, null))).toContain(" --dir /repo ");
});

test("the channel is named only in the environment of the run that has one", () => {
  expect(text(make())).not.toContain("TRUEUP_CHANNEL");
  const channel = { key: new Uint8Array(32), max_bytes: 1 };
  expect(text(make({ channel }))).toContain(" --setenv PATH /usr/bin --setenv TRUEUP_CHANNEL 4 ");
});

test("directories of the system are bound, links are made again", () => {
  expect(text(make())).toContain(" --symlink usr/bin /bin --ro-bind /lib /lib ");
});
