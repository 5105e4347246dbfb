import { fitSteps, type FitReason, type FitStep, type FitTiming } from "../../core/fit/index.ts";
import { errorTable } from "../../error-table.ts";
import { TrueupError } from "../../errors.ts";
import type { Progress } from "../../ports/index.ts";

/** Runs steps, times them, and keeps what ended them as reasons. */
export interface FitSteps {
  /** Null when it ended in an expected error, which is then a reason. An interruption and a bug are thrown. */
  run<T>(step: FitStep, act: () => Promise<T>): Promise<T | null>;
  /** As `run`, but there is nothing to say without it. */
  must<T>(step: FitStep, act: () => Promise<T>): Promise<T>;
  skip(step: FitStep): null;
  add(step: FitStep, error: TrueupError): void;
  reasons(): readonly FitReason[];
  timings(): readonly FitTiming[];
}

/** Fresh steps. `now` gives milliseconds from an arbitrary start. */
export function createFitSteps(progress: Progress, now: () => number): FitSteps {
  const reasons: FitReason[] = [];
  const timings = new Map<FitStep, FitTiming>();
  const timed = async <T>(step: FitStep, act: () => Promise<T>): Promise<T> => {
    const started = now();
    const ended = (state: "done" | "failed", detail: string): void => {
      timings.set(step, { step, state, seconds: Math.round(now() - started) / 1000 });
      progress.report({ kind: "step", step, state, detail });
    };
    progress.report({ kind: "step", step, state: "start", detail: "" });
    try {
      const value = await act();
      ended("done", "");
      return value;
    } catch (error) {
      ended("failed", error instanceof TrueupError ? error.code : "");
      throw error;
    }
  };
  return {
    must: timed,
    async run(step, act) {
      try {
        return await timed(step, act);
      } catch (error) {
        if (!(error instanceof TrueupError) || error.category === "interrupted") throw error;
        reasons.push(reasonOf(step, error));
        return null;
      }
    },
    skip(step) {
      timings.set(step, { step, state: "skipped", seconds: null });
      return null;
    },
    add: (step, error) => void reasons.push(reasonOf(step, error)),
    reasons: () => reasons,
    timings: () => fitSteps.flatMap((step) => timings.get(step) ?? []),
  };
}

function reasonOf(step: FitStep, error: TrueupError): FitReason {
  return {
    step,
    code: error.code,
    mended_by: menderOf(error),
    message: errorTable[error.code].message,
    subject: error.subject ?? null,
    detail: error.detail ?? null,
    remedy: error.hint,
  };
}

function menderOf(error: TrueupError): FitReason["mended_by"] {
  if (error.retryable || error.category === "integrity") return "unknown";
  return error.category === "environment" ? "machine" : "repository";
}
