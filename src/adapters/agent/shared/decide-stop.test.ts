import { describe, expect, test } from "vitest";
import type { ExitFact } from "../../../core/facts/index.ts";
import { decideStop } from "./decide-stop.ts";

const failed = (error: ExitFact["error"], signal: string | null = null): ExitFact => ({ code: null, error, signal });

describe("decideStop", () => {
  test.each([
    [{ code: 0, error: null, signal: null }, "end_turn"],
    [{ code: 1, error: null, signal: null }, "agent_error"],
    [{ code: 127, error: null, signal: null }, "agent_error"],
    [{ code: null, error: null, signal: null }, "agent_error"],
    [failed("timeout"), "budget"],
    [failed("idle"), "budget"],
    [failed("output"), "budget"],
    [failed("cancelled"), "cancelled"],
    [failed("memory"), "crashed"],
    [failed("signal", "SIGKILL"), "crashed"],
    [failed("codes-differ"), "crashed"],
    [failed("survivor"), "crashed"],
    [failed("not-found"), "agent_error"],
    [{ code: 0, error: "timeout", signal: null }, "budget"],
  ] as const)("[F7] %j ends as %s", (exit, stop) => {
    expect(decideStop(exit)).toBe(stop);
  });
});
