import { realpath } from "node:fs/promises";
import { createInitRecords } from "../../adapters/init-records/files/init-records.ts";
import { createRepositoryFiles } from "../../adapters/repository-files/disk/repository-files.ts";
import type { InitPorts } from "../../app/init/init-repository.ts";
import { TrueupError } from "../../errors.ts";
import { createGit } from "./build-ports.ts";
import { openPlaces } from "./places.ts";
import type { Terminal } from "./terminal.ts";

/** The ports of `init` and `uninit` for the work tree the command was typed in; records lie outside of it. */
export async function createInitPorts(terminal: Terminal): Promise<InitPorts> {
  const { state } = await openPlaces(terminal);
  const place = await (await createGit(terminal)).findWorkTree(terminal.cwd);
  if (place === null) throw new TrueupError("not-a-repository", { subject: terminal.cwd });
  const root = await realpath(place.root);
  if (`${await realpath(state)}/`.startsWith(`${root}/`))
    throw new TrueupError("place-in-work-tree", { subject: state });
  return { files: createRepositoryFiles(root), records: createInitRecords(state) };
}
