import { expect, test, type TestContext } from "vitest";
import type { AttackName, SandboxDriver } from "./sandbox-drivers.ts";

type Play = (context: TestContext) => Promise<void> | undefined;

/** Registers one attack as a test: it must be held, or get through where the driver's row says that it does. */
type RegisterAttack = (name: AttackName, title: string, play: Play) => void;

/** How the attacks on one driver are registered. */
export function attacksOn(driver: SandboxDriver): RegisterAttack {
  return (name, title, play) => {
    const held = driver.open[name] === undefined;
    test(`${held ? "" : `not held by ${driver.name}: `}${title}`, async (context) => {
      expect(await (held ? holds : getsThrough)(play(context))).toBe("as the table says");
    });
  };
}

async function holds(played: Promise<void> | undefined): Promise<string> {
  await played;
  return "as the table says";
}

async function getsThrough(played: Promise<void> | undefined): Promise<string> {
  await expect(Promise.resolve(played)).rejects.toThrow();
  return "as the table says";
}
