/** Where control groups can be made on this machine. */
export interface ControlGroupLayout {
  readonly kind: "v1" | "hybrid" | "v2" | "none";
  /** Candidate parents for the memory limit, best first; for v2 the same list serves both. */
  readonly memory: readonly string[];
  readonly pids: readonly string[];
}

interface Mount {
  readonly root: string;
  readonly point: string;
  readonly type: string;
  readonly options: readonly string[];
}

/** The control group mounts in `/proc/self/mountinfo`. */
function decodeMounts(mountinfo: string): Mount[] {
  return mountinfo.split("\n").flatMap((line) => {
    const [before, after] = line.split(" - ");
    const fields = before?.split(" ") ?? [];
    const [type, , options] = after?.split(" ") ?? [];
    const [root, point] = [fields[3], fields[4]];
    if (root === undefined || point === undefined || type === undefined || !type.startsWith("cgroup")) return [];
    return [{ root, point, type, options: options?.split(",") ?? [] }];
  });
}

/** The process's own group in the hierarchy of one controller (`""` for v2), from `/proc/self/cgroup`. */
function ownPath(cgroup: string, controller: string): string {
  for (const line of cgroup.split("\n")) {
    const [, controllers, ...path] = line.split(":");
    if (controllers?.split(",").includes(controller)) return path.join(":");
  }
  return "/";
}

/** `/a/b` gives `/a/b`, `/a` and `/` below the mount point, deepest first. */
function ancestors(mount: Mount, own: string): string[] {
  const prefix = mount.root === "/" ? "" : mount.root;
  const inside = own === prefix || own.startsWith(`${prefix}/`) ? own.slice(prefix.length) : "/";
  const parts = inside.split("/").filter((part) => part !== "" && part !== "..");
  return Array.from({ length: parts.length + 1 }, (_, drop) =>
    [mount.point, ...parts.slice(0, parts.length - drop)].join("/"),
  );
}

/** Decides from the two files of /proc where groups may be made. Pure. */
export function decodeControlGroupLayout(mountinfo: string, cgroup: string): ControlGroupLayout {
  const mounts = decodeMounts(mountinfo);
  const unified = mounts.find((mount) => mount.type === "cgroup2");
  const v1 = (controller: string): string[] => {
    const mount = mounts.find((each) => each.type === "cgroup" && each.options.includes(controller));
    return mount === undefined ? [] : ancestors(mount, ownPath(cgroup, controller));
  };
  const [memory, pids] = [v1("memory"), v1("pids")];
  if (memory.length + pids.length > 0) return { kind: unified === undefined ? "v1" : "hybrid", memory, pids };
  if (unified === undefined) return { kind: "none", memory, pids };
  const parents = ancestors(unified, ownPath(cgroup, ""));
  return { kind: "v2", memory: parents, pids: parents };
}
