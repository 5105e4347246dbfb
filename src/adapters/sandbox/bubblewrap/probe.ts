import type { Sandbox } from "../../../ports/sandbox.ts";
import { TrueupError } from "../../../errors.ts";
import type { BubblewrapSetup } from "./bubblewrap-sandbox.ts";

/** What `probe()` answers. */
export type ProbeResult = Awaited<ReturnType<Sandbox["probe"]>>;

/** Placeholder for the first slice: says that nothing was tried. */
export async function probeSandbox(ready: () => Promise<BubblewrapSetup>, _sandbox: Sandbox): Promise<ProbeResult> {
  const setup = await ready();
  throw new TrueupError("not-built", { subject: `probe over ${setup.ladder.rung}` });
}
