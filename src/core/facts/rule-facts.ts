/** Kinds of rules that a repository may make for itself. */
export type RuleCategory = "architecture" | "security" | "testing" | "style" | "documentation";

/** One rule of base's policy over the text of changed files. */
export interface PolicyRule {
  readonly name: string;
  readonly category: RuleCategory;
  /** Paths or globs of the files it is about. */
  readonly paths: readonly string[];
  /** Literal text that no new line may hold. */
  readonly forbids?: string;
  /** Literal text that each changed file has to hold. */
  readonly requires?: string;
  readonly severity: "block" | "warn" | "info";
  readonly reason: string;
  /** The last day, UTC, on which it counts; absent: until somebody takes it out. */
  readonly until?: string;
}

/** One place where a rule is broken, or a file that could not be looked at. */
export interface RuleHit {
  /** The rule's name. */
  readonly rule: string;
  readonly path: string;
  readonly kind: "forbidden" | "missing" | "not-looked";
  /** From 1; null where it is about the whole file. */
  readonly line: number | null;
}

/** The rules of base's policy, the time of asking, and where the change breaks them. */
export interface RuleFacts {
  /** ISO 8601, UTC. */
  readonly judged_at: string;
  readonly rules: readonly PolicyRule[];
  readonly hits: readonly RuleHit[];
}
