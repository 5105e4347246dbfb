import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";

/** What the host says about user namespaces and containers; null where the file does not exist. */
export interface HostFindings {
  readonly isRoot: boolean;
  readonly inContainer: boolean;
  readonly apparmorRestricts: string | null;
  readonly unprivilegedClone: string | null;
  readonly maxUserNamespaces: string | null;
}

async function readSetting(path: string): Promise<string | null> {
  return readFile(path, "utf8").then(
    (text) => text.trim(),
    () => null,
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Reads the few settings that decide whether user namespaces are allowed. */
export async function readHostFindings(): Promise<HostFindings> {
  return {
    isRoot: process.getuid?.() === 0,
    inContainer: (await exists("/.dockerenv")) || (await exists("/run/.containerenv")),
    apparmorRestricts: await readSetting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
    unprivilegedClone: await readSetting("/proc/sys/kernel/unprivileged_userns_clone"),
    maxUserNamespaces: await readSetting("/proc/sys/user/max_user_namespaces"),
  };
}

/** bubblewrap's version, as `0.8.0`; empty when it does not say. */
export async function readVersion(bwrap: string): Promise<string> {
  const { stdout } = await promisify(execFile)(bwrap, ["--version"], { env: {} });
  return /\d+(?:\.\d+)+/u.exec(stdout)?.[0] ?? "";
}
