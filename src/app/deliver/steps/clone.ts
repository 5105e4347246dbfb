import { z } from "zod";
import { TrueupError } from "../../../errors.ts";
import { readCheckpoint, runStep, type ClonedBase, type Delivery } from "../delivery.ts";

const saved = z.strictObject({ ref: z.string(), commit: z.string(), tree: z.string() });

/** Mirrors the repository and pins the base commit; a resumed attempt keeps the base it began with. */
export async function cloneBase(delivery: Delivery): Promise<ClonedBase> {
  const { request, ports, attempt } = delivery;
  return runStep(delivery, "clone", async () => {
    const pinned = readCheckpoint(attempt, "clone", saved);
    const { mirror, head } = await ports.git.openMirror(request.url, {
      ...(request.signal === undefined ? {} : { signal: request.signal }),
      ...(pinned === null ? {} : { also: [pinned.commit] }),
    });
    if (pinned !== null) return { mirror, base: pinned };
    const ref = request.task.base_ref ?? head;
    if (ref === null)
      throw new TrueupError("base-not-found", {
        subject: "HEAD",
        detail: "the remote names no default branch",
        hint: "Give `base_ref` in the task.",
      });
    const base = { ref, ...(await mirror.resolve(ref)) };
    await attempt.save("clone", base);
    return { mirror, base };
  });
}
