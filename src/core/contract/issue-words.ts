import type { z } from "zod";
import { formatKey, type Issue } from "./issue.ts";

type ZodIssue = z.core.$ZodIssue;

const typeNames: Readonly<Record<string, string>> = {
  array: "a list",
  object: "an object",
  record: "an object",
  string: "a string",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
};

/** Turns the schema library's complaints about `value` into key and reason, one row each. */
export function describeZodIssues(issues: readonly ZodIssue[], value: unknown, root: string): readonly Issue[] {
  return issues.flatMap((issue) => describe(issue, value, root));
}

function describe(issue: ZodIssue, value: unknown, root: string): readonly Issue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ key: formatKey([...issue.path, key], root), reason: "is not a known key" }));
  }
  return [{ key: formatKey(issue.path, root), reason: reasonOf(issue, valueAt(value, issue.path)) }];
}

function reasonOf(issue: ZodIssue, found: unknown): string {
  switch (issue.code) {
    case "invalid_type":
      return typeReason(issue.expected, found);
    case "too_small":
      return smallReason(issue.origin, Number(issue.minimum), found);
    case "too_big":
      return issue.maximum === Number.MAX_SAFE_INTEGER
        ? `is too large to be exact: ${show(found)}`
        : `must be at most ${String(issue.maximum)}, not ${show(found)}`;
    case "invalid_value":
      return `must be ${issue.values.map((each) => JSON.stringify(each)).join(" or ")}, not ${show(found)}`;
    case "invalid_union":
      return unionReason(issue.errors, found);
    case "invalid_format":
      return `does not have the form ${"pattern" in issue ? String(issue.pattern) : issue.format}: ${show(found)}`;
    case "invalid_key":
      return "has a key that is not allowed";
    default:
      return issue.message === "" ? "is not valid" : issue.message;
  }
}

function typeReason(expected: string, found: unknown): string {
  if (found === undefined) return "is missing";
  if (expected === "int" && typeof found === "number") {
    return `must be a whole number, not ${found}`;
  }
  return `must be ${typeNames[expected] ?? expected}, not ${kindOf(found)}`;
}

function smallReason(origin: string, minimum: number, found: unknown): string {
  if (origin === "array") return "is an empty list; leave the key out instead";
  if (origin === "string") return "is empty";
  return typeof found === "number" && found < 0 && minimum === 0
    ? `must not be negative: ${found}`
    : `must be at least ${minimum}, not ${show(found)}`;
}

function unionReason(branches: readonly (readonly ZodIssue[])[], found: unknown): string {
  const words = branches.flatMap((branch) =>
    branch.slice(0, 1).map((issue) => reasonOf(issue, valueAt(found, issue.path))),
  );
  return words.length === 0 ? "fits none of the allowed forms" : words.join("; or ");
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, step) => (typeof at === "object" && at !== null ? Reflect.get(at, step) : undefined),
    value,
  );
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "boolean" ? String(value) : `the ${typeof value} ${show(value)}`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
