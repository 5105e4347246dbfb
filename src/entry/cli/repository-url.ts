import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseRepoAddress, type Task } from "../../core/task/index.ts";
import { TrueupError } from "../../errors.ts";
import type { Terminal } from "./terminal.ts";

/** Reads an address from the command line; `flag` is what stood in front of it. Throws `usage`. */
export function readRepositoryAddress(repo: string, flag = ""): Task["address"] {
  const parsed = parseRepoAddress(repo);
  if (parsed.ok) return parsed.address;
  throw new TrueupError("usage", { subject: `${flag}${repo}`, detail: parsed.reason });
}

/** The address git takes: a path is made absolute; `owner/name` is the public forge's. Throws `repository-unreachable`. */
export function repositoryUrl(terminal: Terminal, repo: string, address: Task["address"]): string {
  if (address.kind === "https" || address.kind === "ssh") return address.url;
  if (address.kind === "name") return `https://github.com/${address.owner}/${address.name}.git`;
  const home = terminal.env["HOME"] ?? os.homedir();
  const local = path.resolve(terminal.cwd, address.path.replace(/^~(?=\/)/u, home));
  const detail = !existsSync(local)
    ? "there is no such path"
    : existsSync(path.join(local, ".git")) || existsSync(path.join(local, "HEAD"))
      ? null
      : "there is no git repository at this path";
  if (detail !== null) throw new TrueupError("repository-unreachable", { subject: repo, detail });
  return local;
}
