import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { TrueupError } from "../../../errors.ts";

/**
 * Joins the control groups before anything else runs, then closes every descriptor that is not ours: whatever the
 * executor inherited from its own caller would be open inside. The second loop checks, since not every shell can close
 * a descriptor above 9.
 */
const wrapperScript = `n=$1 channel=$2; shift 2
while [ "$n" -gt 0 ]; do
  echo $$ >"$1/cgroup.procs" || { echo "trueup: control group $1 cannot be joined" >&2; exit 96; }
  shift; n=$((n-1))
done
[ "$channel" = yes ] || exec 4>&-
for f in /proc/self/fd/*; do
  f=\${f##*/}
  [ "$f" -le 5 ] || ! (eval "exec $f>&-") 2>/dev/null || eval "exec $f>&-"
done
for f in /proc/self/fd/*; do
  f=\${f##*/}
  if [ "$f" -gt 5 ] && [ -e "/proc/self/fd/$f" ]; then echo "trueup: descriptor $f of the caller cannot be closed by $0" >&2; exit 97; fi
done
exec "$@"`;

/** How one run is started. */
export interface WrapperPlan {
  readonly shell: string;
  readonly filter: string;
  readonly groups: readonly string[];
  readonly channel: boolean;
  /** Program and arguments that replace the wrapper. */
  readonly command: readonly string[];
}

/**
 * Starts the wrapper with descriptors 3 (filter), 4 (channel, an AF_UNIX socket pair whose inner end blocks) and 5
 * (status). The environment is empty: bubblewrap's own is readable inside as that of process 1.
 */
export function spawnWrapper(plan: WrapperPlan): ChildProcess {
  const filter = openSync(plan.filter, "r");
  try {
    return spawn(
      plan.shell,
      [
        "-c",
        wrapperScript,
        plan.shell,
        String(plan.groups.length),
        plan.channel ? "yes" : "no",
        ...plan.groups,
        ...plan.command,
      ],
      {
        stdio: ["ignore", "pipe", "pipe", filter, plan.channel ? "pipe" : "ignore", "pipe"],
        env: {},
        cwd: "/",
        detached: true,
      },
    );
  } catch (cause) {
    throw new TrueupError("sandbox-failed", { detail: String(cause), cause });
  } finally {
    closeSync(filter);
  }
}
