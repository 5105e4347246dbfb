import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { SandboxPrograms } from "./programs.ts";

/** The device nodes that bubblewrap would bind from the host. */
export const deviceNames = ["null", "zero", "full", "random", "urandom", "tty"] as const;

/**
 * Shell lines that make the nodes once more at `$devices`, in the mount namespace they run in. The host's own nodes
 * belong to uid 1000 inside when the executor is root: a `chmod` there would change them for the whole machine.
 */
export const makeDevices = `PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -t tmpfs -o size=64k,mode=755 tmpfs "$devices"
cp -a ${deviceNames.map((name) => `/dev/${name}`).join(" ")} "$devices/"`;

/** A command that runs another one in a mount namespace that has the nodes. */
export function withOwnDevices(unshare: string, devicePoint: string, command: readonly string[]): string[] {
  const script = `set -e\ndevices=$1; shift\n${makeDevices}\nexec "$@" <"$devices/null"`;
  return [unshare, "--mount", "--propagation", "private", "--", "/bin/sh", "-c", script, "sh", devicePoint, ...command];
}

/**
 * A command whose standard input is our own null device, where the nodes were made before: a mode can be changed
 * through a descriptor too.
 */
export function withOwnInput(devicePoint: string, command: readonly string[]): string[] {
  return ["/bin/sh", "-c", `devices=$1; shift; exec "$@" <"$devices/null"`, "sh", devicePoint, ...command];
}

/** Whether this executor needs nodes of its own and can make them: only root does, and only with all its powers. */
export async function canOwnDevices(programs: SandboxPrograms, devicePoint: string): Promise<boolean> {
  if (process.getuid?.() !== 0 || programs.unshare === null) return false;
  const [program = "", ...argv] = withOwnDevices(programs.unshare, devicePoint, ["test", "-c", `${devicePoint}/null`]);
  return promisify(execFile)(program, argv, { env: {} }).then(
    () => true,
    () => false,
  );
}
