import { expect, test } from "vitest";
import { decodeControlGroupLayout } from "./control-group-layout.ts";

const v1Mounts = [
  "31 26 0:27 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory",
  "32 26 0:28 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids",
];
const unified = "33 26 0:29 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw";
const v2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate";

test("version 1: the own group first, then its ancestors", () => {
  expect(decodeControlGroupLayout(v1Mounts.join("\n"), "4:memory:/a/b\n8:pids:/\n0::/\n")).toEqual({
    kind: "v1",
    memory: ["/sys/fs/cgroup/memory/a/b", "/sys/fs/cgroup/memory/a", "/sys/fs/cgroup/memory"],
    pids: ["/sys/fs/cgroup/pids"],
  });
});

test("hybrid: controllers of version 1 beside a version 2 mount", () => {
  const layout = decodeControlGroupLayout([...v1Mounts, unified].join("\n"), "4:memory:/\n8:pids:/\n0::/x\n");
  expect(layout).toMatchObject({ kind: "hybrid", memory: ["/sys/fs/cgroup/memory"], pids: ["/sys/fs/cgroup/pids"] });
});

test("version 2: one list for both limits", () => {
  const layout = decodeControlGroupLayout(v2, "0::/user.slice/user-1000.slice\n");
  const parents = ["/sys/fs/cgroup/user.slice/user-1000.slice", "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup"];
  expect(layout).toEqual({ kind: "v2", memory: parents, pids: parents });
});

test("a container that mounts only its own part", () => {
  const mount = "31 26 0:27 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory";
  const layout = decodeControlGroupLayout(mount, "4:memory:/docker/abc/inner\n");
  expect(layout.memory).toEqual(["/sys/fs/cgroup/memory/inner", "/sys/fs/cgroup/memory"]);
});

test.each([
  ["nothing mounted", ""],
  ["only other controllers", "31 26 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu"],
  ["unreadable lines", "x\n1 2 3\n - cgroup"],
])("%s: none", (_title, mountinfo) => {
  expect(decodeControlGroupLayout(mountinfo, "1:cpu:/\n").kind).toBe("none");
});
