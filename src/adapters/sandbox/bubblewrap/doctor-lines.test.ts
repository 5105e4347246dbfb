import { expect, test } from "vitest";
import { TrueupError } from "../../../errors.ts";
import { renderDoctorLines, type Findings } from "./doctor-lines.ts";

const host = {
  isRoot: false,
  inContainer: false,
  apparmorRestricts: null,
  unprivilegedClone: null,
  maxUserNamespaces: "9",
};
const good: Findings = {
  host,
  error: null,
  version: "0.8.0",
  groups: { kind: "v2", version: "v2", memory: "/g", pids: "/g" },
  ladder: { rung: "overlay-user", reason: "" },
  features: [{ name: "network", state: "held", detail: "nothing reached" }],
};
const forbidden = new TrueupError("sandbox-forbidden", { detail: "bwrap: No permissions" });
const broken = { error: forbidden, version: null, groups: null, ladder: null, features: [] };
const line = (findings: Partial<Findings>, name: string): unknown =>
  renderDoctorLines({ ...good, ...findings }).find((each) => each.name === name);

test("a machine that can do all has no line to type", () => {
  const lines = renderDoctorLines(good);
  expect(lines.map((each) => [each.name, each.state, each.fix])).toEqual(
    ["bubblewrap", "user namespaces", "control groups", "work tree", "network"].map((name) => [name, "ok", null]),
  );
});

test("without bubblewrap the one line says how to install it", () => {
  const lines = renderDoctorLines({ ...good, ...broken, error: new TrueupError("sandbox-missing") });
  expect(lines).toEqual([
    expect.objectContaining({ name: "bubblewrap", state: "missing", fix: "apt-get install bubblewrap" }),
  ]);
});

test.each([
  ["AppArmor", { apparmorRestricts: "1" }, "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"],
  ["a Debian kernel's setting", { unprivilegedClone: "0" }, "sudo sysctl -w kernel.unprivileged_userns_clone=1"],
  ["a limit of none", { maxUserNamespaces: "0" }, "sudo sysctl -w user.max_user_namespaces=15000"],
  ["a container", { inContainer: true }, "docker run --privileged ..."],
  ["nothing that is known", {}, null],
])("user namespaces forbidden by %s", (_title, more, fix) => {
  expect(line({ ...broken, host: { ...host, ...more } }, "user namespaces")).toMatchObject({ state: "missing", fix });
});

test("another failure to start is told in bubblewrap's words", () => {
  const error = new TrueupError("sandbox-failed", { detail: "bwrap: Unknown option --disable-userns" });
  expect(line({ ...broken, error }, "sandbox")).toMatchObject({
    state: "missing",
    detail: "bwrap: Unknown option --disable-userns",
  });
});

test("missing limits and a copied work tree are limits, said in words", () => {
  const groups = { kind: "none", version: "v1", memory: null, pids: null } as const;
  expect(line({ groups }, "control groups")).toMatchObject({
    state: "limited",
    detail: "none: no limit on memory and processes",
  });
  expect(line({ ladder: { rung: "copy", reason: "no overlay" } }, "work tree")).toMatchObject({ state: "limited" });
});

test("an attack that worked is never shown as anything but missing", () => {
  const features = [{ name: "network", state: "failed", detail: "reached 127.0.0.1" }] as const;
  expect(line({ features }, "network")).toMatchObject({ state: "missing", detail: "reached 127.0.0.1" });
});
