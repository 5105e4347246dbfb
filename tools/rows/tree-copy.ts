import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { listTree } from "../list-tree.ts";
import type { Row } from "./row-file.ts";

/** A copy of the tree in a temporary folder, with the original's node_modules; removed on dispose. */
export const copyTree = (root: string): { readonly copy: string } & Disposable => {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), "rows-"));
  for (const file of listTree(root)) {
    fs.mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    fs.copyFileSync(path.join(root, file), path.join(copy, file));
  }
  fs.symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
  return { copy, [Symbol.dispose]: () => fs.rmSync(copy, { recursive: true, force: true }) };
};

/** Plants a fault in the copy until disposed. Throws when its text does not stand there exactly once. */
export const plantFault = (copy: string, fault: NonNullable<Row["fault"]>): Disposable => {
  const file = path.join(copy, fault.file);
  const sound = fs.readFileSync(file, "utf8");
  const [before, after, ...more] = sound.split(fault.find);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`fault fits not once: ${fault.file}`);
  fs.writeFileSync(file, `${before}${fault.replace}${after}`);
  return {
    [Symbol.dispose]: () => {
      fs.writeFileSync(file, sound);
      // What a faulty product put into the shared store must not decide another row.
      fs.rmSync(path.join(copy, ".cache"), { recursive: true, force: true });
    },
  };
};
