import { z } from "zod";
import { canonicalJson, type Digest } from "../digest.ts";

const digest = z.custom<Digest>((value) => typeof value === "string" && /^sha256:[0-9a-f]{64}$/u.test(value));
const markerSchema = z.strictObject({
  version: z.literal(1),
  task: z.string().min(1).max(200),
  contract: z.nullable(digest),
  digests: z.array(digest).min(1).max(100),
  keys: z.array(digest).min(1).max(100),
});

/** What a pull request of ours carries invisibly: its task, and every change it has ever held. Newest last. */
export interface Marker {
  readonly version: 1;
  readonly task: string;
  readonly contract: Digest | null;
  /** Change digests. */
  readonly digests: readonly Digest[];
  /** Same-edit keys. */
  readonly keys: readonly Digest[];
}

const form = /<!-- trueup:([A-Za-z0-9+/]+={0,2}) -->/gu;

/** The marker of a pull request's first change. */
export function createMarker(change: { task: string; contract: Digest | null; digest: Digest; key: Digest }): Marker {
  return { version: 1, task: change.task, contract: change.contract, digests: [change.digest], keys: [change.key] };
}

/** The marker after one more change; nothing it carried is forgotten. */
export function extendMarker(marker: Marker, change: { digest: Digest; key: Digest }): Marker {
  const gained = (known: readonly Digest[], one: Digest): Digest[] => [...known.filter((other) => other !== one), one];
  return { ...marker, digests: gained(marker.digests, change.digest), keys: gained(marker.keys, change.key) };
}

/** An HTML comment of one line; base64, so that nothing in it can end the comment. */
export function renderMarker(marker: Marker): string {
  return `<!-- trueup:${btoa(canonicalJson(marker))} -->`;
}

/** Reads a body's marker. Null when there is none, more than one, or one that is not ours to read: never a guess. */
export function parseMarker(body: string): Marker | null {
  const found = [...body.matchAll(form)];
  const text = found.length === 1 ? found[0]?.[1] : undefined;
  if (text === undefined) return null;
  try {
    const parsed = markerSchema.safeParse(JSON.parse(atob(text)));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    // `atob` and `JSON.parse` throw on text that is no marker; anything else is a bug.
    if (error instanceof SyntaxError || error instanceof DOMException) return null;
    throw error;
  }
}
