import { createFakeForgeReader } from "../fakes/fake-forge-reader.ts";
import { describeForgeReaderContract } from "./forge-reader-contract.ts";

describeForgeReaderContract("fake", () =>
  Promise.resolve({ open: createFakeForgeReader, dispose: () => Promise.resolve() }),
);
