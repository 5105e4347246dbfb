import { createFakeForge } from "../fakes/fake-forge.ts";
import { describeForgeContract } from "./forge-contract.ts";

const states = { close: "closed", merge: "merged", reopen: "open" } as const;

describeForgeContract("fake", () => {
  const forge = createFakeForge();
  return Promise.resolve({
    open: () => forge,
    decide: async (number, decision, by, comment) =>
      forge.change(number, {
        state: states[decision],
        closed_by: decision === "close" ? { ...by, comment: comment ?? null } : null,
      }),
    breakDown: async () => forge.breakDown(),
    dispose: () => Promise.resolve(),
  });
});
