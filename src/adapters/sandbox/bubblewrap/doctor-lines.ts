import type { IsolationFeature } from "../../../core/facts/index.ts";
import type { DoctorLine } from "../../../ports/sandbox.ts";
import type { TrueupError } from "../../../errors.ts";
import type { ControlGroupPlace } from "./control-group-place.ts";
import type { HostFindings } from "./host-findings.ts";
import type { RoomLadder } from "./rooms.ts";

/** Everything `trueup doctor` says about the sandbox is made from this. */
export interface Findings {
  readonly host: HostFindings;
  /** Why no sandbox could be run, or null. */
  readonly error: TrueupError | null;
  readonly version: string | null;
  readonly groups: ControlGroupPlace | null;
  readonly ladder: RoomLadder | null;
  readonly features: readonly IsolationFeature[];
}

/** One line a part, each with the line to type where there is one. Pure. */
export function renderDoctorLines(findings: Findings): DoctorLine[] {
  const { error, groups, ladder, features } = findings;
  return [
    programLine(findings),
    ...(error?.code === "sandbox-missing" ? [] : [namespaceLine(findings)]),
    ...(groups === null ? [] : [groupLine(groups, findings.host)]),
    ...(ladder === null ? [] : [ladderLine(ladder)]),
    ...features.map(featureLine),
  ];
}

function programLine({ error, version }: Findings): DoctorLine {
  const name = "bubblewrap";
  if (error?.code === "sandbox-missing")
    return { name, state: "missing", detail: "bwrap is not on the PATH", fix: "apt-get install bubblewrap" };
  return { name, state: "ok", detail: version ?? "found", fix: null };
}

function namespaceLine({ error, host }: Findings): DoctorLine {
  const name = "user namespaces";
  if (error === null) return { name, state: "ok", detail: "allowed", fix: null };
  const detail = error.detail ?? error.message;
  if (error.code !== "sandbox-forbidden") return { name: "sandbox", state: "missing", detail, fix: null };
  return { name, state: "missing", ...namespaceRemedy(host, detail) };
}

/** The one setting that forbids them, and the line that mends it. */
function namespaceRemedy(host: HostFindings, detail: string): { detail: string; fix: string | null } {
  if (host.maxUserNamespaces === "0")
    return { detail: "the kernel allows none", fix: "sudo sysctl -w user.max_user_namespaces=15000" };
  if (host.unprivilegedClone === "0")
    return { detail: "forbidden for users", fix: "sudo sysctl -w kernel.unprivileged_userns_clone=1" };
  if (host.apparmorRestricts === "1")
    return { detail: "AppArmor restricts them", fix: "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0" };
  if (host.inContainer) return { detail: "this container does not allow them", fix: "docker run --privileged ..." };
  return { detail, fix: null };
}

function groupLine(groups: ControlGroupPlace, host: HostFindings): DoctorLine {
  const name = "control groups";
  const missing = [...(groups.memory === null ? ["memory"] : []), ...(groups.pids === null ? ["processes"] : [])];
  if (missing.length === 0) return { name, state: "ok", detail: groups.kind, fix: null };
  const fix = host.isRoot ? null : "systemd-run --user --scope -p Delegate=yes trueup doctor";
  return { name, state: "limited", detail: `${groups.kind}: no limit on ${missing.join(" and ")}`, fix };
}

function ladderLine(ladder: RoomLadder): DoctorLine {
  const name = "work tree";
  if (ladder.rung !== "copy") return { name, state: "ok", detail: ladder.rung, fix: null };
  return { name, state: "limited", detail: `copy, slower and without a size limit (${ladder.reason})`, fix: null };
}

const featureStates = { held: "ok", missing: "limited", "not-tried": "limited", failed: "missing" } as const;

function featureLine(feature: IsolationFeature): DoctorLine {
  return { name: feature.name, state: featureStates[feature.state], detail: feature.detail, fix: null };
}
