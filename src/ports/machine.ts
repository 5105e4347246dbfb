/** Wall and monotonic time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. */
  monotonic(): number;
}

/** New identifiers: UUIDv7. */
export interface Ids {
  next(): string;
}

/** The steps a delivery goes through, for display and resume. */
export type StepName =
  | "admit"
  | "lease"
  | "reconcile"
  | "clone"
  | "toolchain"
  | "bootstrap"
  | "baseline"
  | "agent"
  | "capture"
  | "verify"
  | "publish"
  | "confirm";

export type ProgressEvent =
  | {
      readonly kind: "step";
      readonly step: StepName;
      readonly state: "start" | "done" | "resumed" | "failed";
      readonly detail: string;
    }
  | { readonly kind: "note"; readonly step: StepName | null; readonly text: string }
  | { readonly kind: "output"; readonly step: StepName; readonly text: string };

/** Where live progress goes; never a place for decisions. */
export interface Progress {
  report(event: ProgressEvent): void;
}
