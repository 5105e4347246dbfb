import { expect, test, type TestContext } from "vitest";
import type { AttackName, SandboxDriver } from "./sandbox-drivers.ts";

/** Registers one attack as a test: it must be held, or get through where the driver's row says that it does. */
type RegisterAttack = (
  name: AttackName,
  title: string,
  play: (context: TestContext) => Promise<void> | undefined,
) => void;

/** How the attacks on one driver are registered. */
export function attacksOn(driver: SandboxDriver): RegisterAttack {
  return (name, title, play) => {
    if (driver.open[name] === undefined) test(title, play);
    else test(`not held by ${driver.name}: ${title}`, (context) => expect(play(context)).rejects.toThrow());
  };
}
