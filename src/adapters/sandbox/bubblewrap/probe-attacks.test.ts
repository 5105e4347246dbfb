import { expect, test } from "vitest";
import { attackNames, decodeAttacks } from "./probe-attacks.ts";

test.each([
  ["nothing", ""],
  ["half an answer", '{"network":[true'],
  ["an answer to nothing", "{}"],
  ["no object", "null"],
  ["answers of another shape", '{"network":true,"remount":"held"}'],
])("%s from inside counts as failed for every attack", (_title, stdout) => {
  expect(decodeAttacks(stdout).map((each) => [each.name, each.state])).toEqual(
    attackNames.map((name) => [name, "failed"]),
  );
});

test("held, failed and not tried are told apart", () => {
  const states = decodeAttacks(
    '{"network":[true,"a"],"remount":[false,"b"],"system-calls":[null,"c"],"loopback":["yes","d"]}',
  );
  const found = Object.fromEntries(states.map((each) => [each.name, each.state]));
  expect(found).toMatchObject({ network: "held", remount: "failed", "system-calls": "not-tried", loopback: "failed" });
});
