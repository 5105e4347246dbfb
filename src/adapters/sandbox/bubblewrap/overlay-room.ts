import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { RoomRequest } from "../../../ports/sandbox.ts";
import { TrueupError } from "../../../errors.ts";
import { makeDevices } from "./own-devices.ts";
import type { SandboxPrograms } from "./programs.ts";
import { readUpperLayer } from "./upper-layer.ts";

/** Which user owns the mounts: the real root, or root of a user namespace of its own. */
export type OverlayRung = "overlay-root" | "overlay-user";

/** Mounts that live in a process of their own and vanish with it, also when the executor is killed. */
export interface OverlayHold {
  /** The merged tree as the executor sees it. */
  readonly hostPath: string;
  /** The merged tree as processes inside the holder's namespaces see it. */
  readonly innerPath: string;
  /** Arguments of `nsenter` that lead into the holder's namespaces. */
  readonly enter: readonly string[];
  readWritten(): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

/**
 * Layers are bound to short names first: their paths then need no escaping and the option string keeps its length.
 * The last line waits for the executor's end of the pipe to close, which its death does too.
 */
const holderScript = `set -e
room=$1 size=$2 extra=$3 devices=$4; shift 4
if [ -n "$devices" ]; then
${makeDevices}
fi
mount -t tmpfs -o "size=$size,mode=700" tmpfs "$room"
cd "$room"
mkdir -m 755 upper work tree
lower= n=0
for layer; do
  mkdir "l$n"; mount --rbind "$layer" "l$n"; lower="l$n\${lower:+:$lower}"; n=$((n+1))
done
mount -t overlay -o "lowerdir=$lower,upperdir=upper,workdir=work,xino=off,metacopy=off,index=off,redirect_dir=nofollow$extra" overlay tree
echo ready
exec cat >/dev/null`;

/** What the holder is started with. */
export interface OverlayOptions {
  readonly programs: SandboxPrograms;
  readonly rung: OverlayRung;
  /** An empty directory to mount on; private to each holder, so all may share it. */
  readonly roomPoint: string;
  readonly devicePoint: string;
  readonly ownDevices: boolean;
}

/** Mounts the layers in a holder process. Throws `sandbox-failed` with the words of `mount`. */
export async function openOverlay(request: RoomRequest, options: OverlayOptions): Promise<OverlayHold> {
  const { programs, rung, roomPoint } = options;
  if (programs.unshare === null || programs.nsenter === null) {
    throw new TrueupError("sandbox-failed", { subject: "work tree", detail: "unshare and nsenter were not found" });
  }
  const user = rung === "overlay-user";
  const namespaces = [...(user ? ["--user", "--map-root-user"] : []), "--mount", "--propagation", "private"];
  const layers = [request.base, ...request.deltas];
  const script = [
    "/bin/sh",
    "-c",
    holderScript,
    "sh",
    roomPoint,
    String(request.bytes),
    user ? ",userxattr" : "",
    options.ownDevices && !user ? options.devicePoint : "",
    ...layers,
  ];
  const holder = spawn(programs.unshare, [...namespaces, ...script], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
    cwd: "/",
    detached: true,
  });
  await waitUntilReady(holder);
  const innerPath = `${roomPoint}/tree`;
  return {
    hostPath: `/proc/${holder.pid}/root${innerPath}`,
    innerPath,
    readWritten: () => readUpperLayer(`/proc/${holder.pid}/root${roomPoint}/upper`),
    enter: user
      ? ["--user", "--mount", "--preserve-credentials", "-t", `${holder.pid}`]
      : [`--mount=/proc/${holder.pid}/ns/mnt`],
    close: () => endHolder(holder),
  };
}

/** Resolves at the holder's word; its end before that is the failure. */
async function waitUntilReady(holder: ChildProcess): Promise<void> {
  const words: string[] = [];
  holder.stdin?.on("error", () => undefined);
  holder.stderr?.setEncoding("utf8").on("data", (text: string) => words.push(text));
  const ready = new Promise<boolean>((resolve, reject) => {
    let seen = "";
    holder.stdout?.setEncoding("utf8").on("data", (text: string) => {
      seen += text;
      if (seen.includes("ready\n")) resolve(true);
    });
    holder.once("error", reject);
    holder.once("close", () => resolve(false));
  });
  const failed = (cause?: unknown): TrueupError =>
    new TrueupError("sandbox-failed", {
      subject: "work tree",
      detail: words.join("").trim() || (cause instanceof Error ? cause.message : "the holder ended"),
      cause,
    });
  const mounted = await ready.catch((cause: unknown) => {
    throw failed(cause);
  });
  if (!mounted) throw failed();
}

async function endHolder(holder: ChildProcess): Promise<void> {
  if (holder.exitCode !== null || holder.signalCode !== null) return;
  const ended = once(holder, "exit");
  holder.stdin?.end();
  await ended;
}
