import { TrueupError } from "../../errors.ts";
import type { StartedRuns } from "../../ports/index.ts";

/** Ends one background command. Throws `record-missing` when none of that id runs, `service-stuck` when it does not end. */
export async function stopService(started: StartedRuns, commandId: string): Promise<void> {
  const answer = await started.stop(commandId);
  if (answer === "not-running")
    throw new TrueupError("record-missing", {
      subject: commandId,
      detail: "no command of that id runs in the background",
    });
  if (answer === "still-running") throw new TrueupError("service-stuck", { subject: commandId });
}
