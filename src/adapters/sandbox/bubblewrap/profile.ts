import type { SandboxMount, SandboxRequest } from "../../../ports/sandbox.ts";
import { deviceNames } from "./own-devices.ts";
import type { SystemFiles } from "./system-files.ts";

/** Sizes in bytes of the file systems in memory. */
export const memorySizes = { tmp: 268_435_456, home: 67_108_864, shm: 67_108_864, root: 16_777_216 } as const;

/** Descriptors of the sandboxed program's start. */
export const descriptors = { filter: 3, channel: 4, status: 5 } as const;

const namespaces = [
  ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--unshare-net"],
  ...["--disable-userns", "--cap-drop", "ALL", "--uid", "1000", "--gid", "1000", "--hostname", "sandbox"],
  ...["--die-with-parent", "--new-session", "--clearenv"],
];

const tmpfs = (target: string, bytes: number): string[] => ["--size", String(bytes), "--tmpfs", target];

function systemArguments(system: SystemFiles): string[] {
  const links = [...system.topLevel].flatMap(([path, target]) =>
    target === null ? ["--ro-bind", path, path] : ["--symlink", target, path],
  );
  const etc = ["hosts", "passwd", "group", "nsswitch.conf"].flatMap((name) => [
    "--ro-bind",
    `${system.etc}/${name}`,
    `/etc/${name}`,
  ]);
  const host = ["/etc/ld.so.cache", "/etc/alternatives", "/etc/ssl/certs"].flatMap((path) => [
    "--ro-bind-try",
    path,
    path,
  ]);
  return [...tmpfs("/", memorySizes.root), "--ro-bind", "/usr", "/usr", ...links, "--dir", "/etc", ...etc, ...host];
}

/**
 * /dev is made by bubblewrap without a size, so it is closed for writing once /dev/shm has its own. Own nodes, where
 * there are any, take the place of the host's.
 */
function deviceArguments(devicePoint: string | null): string[] {
  const own =
    devicePoint === null ? [] : deviceNames.flatMap((name) => ["--dev-bind", `${devicePoint}/${name}`, `/dev/${name}`]);
  return ["--dev", "/dev", ...own, ...tmpfs("/dev/shm", memorySizes.shm), "--remount-ro", "/dev"];
}

const syntheticProc = ["cpuinfo", "stat", "meminfo", "version", "filesystems", "loadavg", "uptime", "self/stat"];
/** About the whole machine, and of no use to a test. */
const hiddenProcFiles = [
  "/proc/kcore",
  "/proc/kmsg",
  "/proc/keys",
  "/proc/timer_list",
  "/proc/sched_debug",
  "/proc/config.gz",
  "/proc/cmdline",
];

/**
 * Without a capability uid 1000 inside could still write the kernel's settings and change modes in /proc for the whole
 * machine when it is root outside: a real /proc is read-only.
 */
function procArguments(
  system: SystemFiles,
  kind: SandboxRequest["proc"],
  hostHas: (path: string) => boolean,
): string[] {
  if (kind === "synthetic") {
    const files = syntheticProc.flatMap((name) => ["--ro-bind", `${system.proc}/${name}`, `/proc/${name}`]);
    return ["--dir", "/proc", "--dir", "/proc/self", ...files];
  }
  const hidden = hiddenProcFiles.filter(hostHas).flatMap((path) => ["--ro-bind", "/dev/null", path]);
  return ["--proc", "/proc", ...hidden, "--remount-ro", "/proc"];
}

function mountArguments(mount: SandboxMount): string[] {
  if (mount.kind === "tmpfs") return tmpfs(mount.target, mount.bytes);
  return [mount.kind === "writable" ? "--bind" : "--ro-bind", mount.source, mount.target];
}

/** What the arguments are made from, apart from the request. */
export interface ProfileContext {
  readonly system: SystemFiles;
  /** The room's directory as bubblewrap sees it, null without a room. */
  readonly roomSource: string | null;
  /** Directory of own device nodes, null where the host's are used. */
  readonly devicePoint: string | null;
  readonly hostHas: (path: string) => boolean;
}

/**
 * bubblewrap's arguments up to and including the program. The order is part of the profile: room, then the mounts inside
 * it, then the root closed for writing last.
 */
export function bubblewrapArguments(request: SandboxRequest, context: ProfileContext): string[] {
  const room =
    context.roomSource === null
      ? ["--dir", "/repo"]
      : [request.roomAccess === "read-only" ? "--ro-bind" : "--bind", context.roomSource, "/repo"];
  const environment = { ...request.env, ...(request.channel ? { TRUEUP_CHANNEL: String(descriptors.channel) } : {}) };
  return [
    ...namespaces,
    ...systemArguments(context.system),
    ...deviceArguments(context.devicePoint),
    ...procArguments(context.system, request.proc, context.hostHas),
    ...tmpfs("/tmp", memorySizes.tmp),
    ...tmpfs("/home/u", memorySizes.home),
    ...room,
    ...request.mounts.flatMap(mountArguments),
    ...Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--seccomp", String(descriptors.filter), "--json-status-fd", String(descriptors.status)],
    ...["--remount-ro", "/", "--chdir", request.cwd, "--", ...request.argv],
  ];
}
