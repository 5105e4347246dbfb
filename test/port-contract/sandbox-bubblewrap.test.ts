import { describeSandboxAttacks } from "./sandbox-attacks.ts";
import { describeSandboxContract } from "./sandbox-contract.ts";
import { bubblewrap, bubblewrapRungs } from "./sandbox-drivers.ts";
import { describeSandboxEscapes } from "./sandbox-escapes.ts";
import { describeSandboxRooms } from "./sandbox-rooms.ts";

describeSandboxContract(bubblewrap);
describeSandboxAttacks(bubblewrap);
describeSandboxEscapes(bubblewrap);
describeSandboxRooms("bubblewrap, best rung", bubblewrap.create);
for (const rung of bubblewrapRungs) describeSandboxRooms(rung.name, rung.create);
