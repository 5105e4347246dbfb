import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { sha256 } from "../../../core/digest.ts";
import { createJsonCache } from "./json-cache.ts";

async function freshDirectory(): Promise<string> {
  return mkdtemp(path.join(os.tmpdir(), "trueup-cache-"));
}

test("a value comes back as it was stored", async () => {
  const cache = createJsonCache(await freshDirectory());
  await cache.write("baselines", sha256("a"), { runs: [1, null, "x"] });
  expect(await cache.read("baselines", sha256("a"))).toEqual({ runs: [1, null, "x"] });
  expect(await cache.read("baselines", sha256("b"))).toBeNull();
});

test("an entry cut short or altered reads as absent, at every length", async () => {
  const directory = await freshDirectory();
  const cache = createJsonCache(directory);
  await cache.write("baselines", sha256("a"), { passed: 4 });
  const [name] = await readdir(path.join(directory, "baselines"));
  const file = path.join(directory, "baselines", name as string);
  const text = await readFile(file, "utf8");
  for (let length = 0; length < text.length; length++) {
    await writeFile(file, text.slice(0, length));
    expect(await cache.read("baselines", sha256("a"))).toBeNull();
  }
  await writeFile(file, text.replace("4", "5"));
  expect(await cache.read("baselines", sha256("a"))).toBeNull();
});
