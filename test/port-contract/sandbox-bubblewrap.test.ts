import { createBubblewrapSandbox, type BubblewrapOptions } from "../../src/adapters/sandbox/bubblewrap/index.ts";
import type { Sandbox } from "../../src/ports/sandbox.ts";
import { describeSandboxAttacks } from "./sandbox-attacks.ts";
import { describeSandboxContract } from "./sandbox-contract.ts";
import { describeSandboxRooms } from "./sandbox-rooms.ts";

const create =
  (more: Partial<BubblewrapOptions> = {}) =>
  (scratchDirectory: string): Sandbox =>
    createBubblewrapSandbox({ scratchDirectory, searchPath: process.env["PATH"] ?? "", ...more });

describeSandboxContract("bubblewrap", create());
describeSandboxAttacks("bubblewrap", create());
describeSandboxRooms("bubblewrap, best rung", create());
describeSandboxRooms("bubblewrap, overlay in a user namespace", create({ workTree: "overlay-user" }));
describeSandboxRooms("bubblewrap, copy", create({ workTree: "copy" }));
