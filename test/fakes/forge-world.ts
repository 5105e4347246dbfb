import type { AccountFacts } from "../../src/core/facts/index.ts";

/** One version of a text: when, by whom. */
export interface WorldText {
  readonly at: string;
  readonly by: string;
  readonly text: string;
}

/** What a forge knows, for the fake and the stub alike. The first text is the one as it was written. */
export interface ForgeWorld {
  /** `owner/name`. */
  readonly repository: string;
  readonly accounts: readonly AccountFacts[];
  readonly issues: readonly {
    readonly number: number;
    readonly texts: readonly WorldText[];
    readonly done?: boolean;
  }[];
  readonly pulls: readonly { readonly number: number; readonly texts: readonly WorldText[] }[];
  /** How it fails: it does not answer, keeps no old versions, or answers something else. */
  readonly fault?: "unreachable" | "forgetful" | "garbled";
}
