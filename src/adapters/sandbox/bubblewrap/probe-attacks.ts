import type { IsolationFeature } from "../../../core/facts/index.ts";
import { absentCalls, callNumber, forbiddenCalls, inspectedCalls, type FilterArchitecture } from "./system-calls.ts";

/** What the attacking program is told. */
export interface AttackInput {
  readonly port: number;
  readonly hiddenFile: string;
  readonly environment: readonly string[];
  /** Links of `/proc/self/ns` on the host, by name. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** Words that make the survivor's command line findable. */
  readonly survivorMark: string;
  readonly calls: readonly { readonly name: string; readonly number: number; readonly argument: number }[];
}

/** Every call the filter must refuse, and `clone` and `ioctl` with a forbidden argument. */
export function refusedCalls(architecture: FilterArchitecture): AttackInput["calls"] {
  const plain = Object.entries({ ...forbiddenCalls, ...absentCalls }).map(([name, numbers]) => ({
    name,
    number: callNumber(numbers, architecture),
    argument: 0,
  }));
  const newUserNamespace = 0x10000011;
  return [
    ...plain,
    { name: "clone", number: callNumber(inspectedCalls.clone, architecture), argument: newUserNamespace },
  ];
}

/** Runs inside: tries each attack, prints one JSON object `{name: [held, detail]}`. Plain JavaScript for `node -e`. */
export const attackProgram = `
const fs = require("node:fs"), net = require("node:net"), { spawn, spawnSync } = require("node:child_process");
const input = JSON.parse(process.argv[1]);
const found = {};
const refused = (name, act) => { try { act(); found[name] = [false, "it worked"]; } catch (error) { found[name] = [true, String(error.code ?? error.message)]; } };
const tool = (...argv) => { const r = spawnSync(argv[0], argv.slice(1), { encoding: "utf8" }); if (r.error) throw r.error; if (r.status !== 0) throw new Error(r.stderr.trim().split("\\n")[0].slice(0, 200)); };
refused("remount", () => tool("mount", "-o", "remount,rw", "/usr"));
refused("write-system", () => { fs.writeFileSync("/usr/trueup-probe", ""); fs.unlinkSync("/usr/trueup-probe"); });
refused("write-root", () => fs.writeFileSync("/trueup-probe", ""));
refused("hidden-file", () => fs.readFileSync(input.hiddenFile));
refused("kernel-settings", () => fs.closeSync(fs.openSync("/proc/sys/kernel/core_pattern", "r+")));
for (const name of ["null", "zero", "full"]) { try { fs.chmodSync("/dev/" + name, 0o666); } catch {} }
try { fs.fchmodSync(0, 0o666); } catch {}
refused("host-proc", () => fs.chmodSync("/proc/uptime", 0o444));
refused("user-namespace", () => tool("unshare", "--user", "true"));
const same = Object.keys(input.namespaces).filter((name) => fs.readlinkSync("/proc/self/ns/" + name) === input.namespaces[name]);
found["namespaces"] = [same.length === 0, same.length === 0 ? "all its own" : "shared: " + same.join(" ")];
const status = fs.readFileSync("/proc/self/status", "utf8");
const line = (name) => new RegExp("^" + name + ":\\\\s*(.*)$", "mu").exec(status)?.[1];
found["capabilities"] = [/^0+$/u.test(line("CapEff")) && /^0+$/u.test(line("CapBnd")) && line("NoNewPrivs") === "1", "effective " + line("CapEff")];
const allowed = new Set(input.environment);
const foreign = Object.keys(process.env).filter((name) => !allowed.has(name));
const first = fs.readFileSync("/proc/1/environ", "utf8").split("\\0").map((each) => each.split("=")[0]).filter((name) => name !== "" && !["PWD", "SHLVL", "OLDPWD", "_"].includes(name));
found["environment"] = [foreign.length + first.length === 0, [...foreign, ...first].join(" ") || "only what was given"];
const fds = spawnSync("ls", ["/proc/self/fd"], { encoding: "utf8" }).stdout.trim().split("\\n");
found["descriptors"] = [fds.join(" ") === "0 1 2 3", fds.join(" ")];
const perl = 'my $bad=""; while (@ARGV) { my ($name,$number,$argument)=splice(@ARGV,0,3); my $r=syscall($number,$argument+0,0,0,0,0); my $e=$!+0; exit 0 if $name eq "clone" && $r==0; $bad.=" $name" unless $r==-1 && ($e==1||$e==38); } print $bad;';
const filter = spawnSync("perl", ["-e", perl, ...input.calls.flatMap((c) => [c.name, String(c.number), String(c.argument)])], { encoding: "utf8" });
found["system-calls"] = filter.error ? [null, "perl was not found; the filter is " + (line("Seccomp") === "2" ? "on" : "off")] : [filter.status === 0 && filter.stdout === "" && line("Seccomp") === "2", filter.stdout.trim() || (filter.status === 0 ? input.calls.length + " refused" : "ended with " + filter.status)];
spawn("sh", ["-c", "sleep 1000; true " + input.survivorMark], { detached: true, stdio: "ignore" }).unref();
const tries = ["127.0.0.1"].map((host) => new Promise((resolve) => {
  const socket = net.connect({ host, port: input.port, timeout: 2000 });
  socket.once("connect", () => resolve(host)).once("error", () => resolve(null)).once("timeout", () => resolve(null));
}));
const loopback = new Promise((resolve) => { const server = net.createServer((socket) => socket.destroy()).listen(0, "127.0.0.1", () => net.connect(server.address().port, "127.0.0.1").once("connect", () => resolve(true)).once("error", () => resolve(false))).once("error", () => resolve(false)); });
Promise.all([loopback, ...tries]).then(([up, ...reached]) => {
  const through = reached.filter((host) => host !== null);
  found["network"] = [through.length === 0, through.length === 0 ? "nothing reached" : "reached " + through.join(" ")];
  found["loopback"] = [up, up ? "up" : "down"];
  process.stdout.write(JSON.stringify(found), () => process.exit(0));
});
`;

/** Starts more processes than it may; says so if that worked. */
export const pidsAttack = 'i=0; while [ "$i" -lt 100 ]; do sleep 5 & i=$((i+1)); done; echo unlimited';

/** Keeps a line without an end in memory. */
export const memoryAttack = "head -c 300000000 /dev/zero | tail >/dev/null";

/** Names every attack the program reports, so that a silent one counts as not tried. */
export const attackNames = [
  ...[
    "remount",
    "write-system",
    "write-root",
    "hidden-file",
    "kernel-settings",
    "host-proc",
    "user-namespace",
    "namespaces",
  ],
  ...["capabilities", "environment", "descriptors", "system-calls", "network", "loopback"],
] as const;

/** Decodes the attacking program's answer; anything it did not answer readably is `failed`. */
export function decodeAttacks(stdout: string): IsolationFeature[] {
  let answers: Record<string, unknown> = {};
  try {
    const value: unknown = JSON.parse(stdout);
    if (typeof value === "object" && value !== null) answers = value as Record<string, unknown>;
  } catch {
    // An unreadable answer leaves every attack unanswered, which is reported below as failed.
  }
  return attackNames.map((name) => {
    const answer = answers[name];
    if (!Array.isArray(answer)) return { name, state: "failed", detail: "no answer from inside" };
    const [held, detail] = answer as [unknown, unknown];
    return { name, state: held === true ? "held" : held === null ? "not-tried" : "failed", detail: String(detail) };
  });
}
