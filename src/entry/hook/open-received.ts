import path from "node:path";
import { openReceivedView } from "../../adapters/git/cli/received-view.ts";
import type { PushRequest } from "../../app/check-push/check-push.ts";
import type { PushedTip } from "../../core/hooks/index.ts";
import { openPlaces } from "../cli/places.ts";
import type { Terminal } from "../cli/terminal.ts";

/** What a bare repository is about to take in; git names the quarantine relative to the repository. */
export async function openReceived(
  terminal: Terminal,
  tips: readonly PushedTip[],
): Promise<Pick<PushRequest, "place" | "received" | "session"> & { readonly close: () => Promise<void> }> {
  const { state } = await openPlaces(terminal);
  const quarantine = terminal.env["GIT_QUARANTINE_PATH"] ?? "";
  const view = await openReceivedView({
    repository: terminal.cwd,
    quarantine: quarantine === "" ? null : path.resolve(terminal.cwd, quarantine),
    commits: tips.map((tip) => tip.commit),
    scratchDirectory: path.join(state, "scratch"),
  });
  const { place, url, refOf, close } = view;
  return { place, received: { url, refOf }, session: null, close };
}
