import { z } from "zod";
import { TrueupError } from "../../../errors.ts";
import type { PullRequest } from "../../../ports/index.ts";

const actor = z.strictObject({ kind: z.enum(["person", "bot", "vanished"]), name: z.string() });

const fileSchema = z
  .strictObject({
    version: z.literal(1),
    number: z.int().min(1),
    head_branch: z.string().min(1),
    base_branch: z.string().min(1),
    title: z.string(),
    body: z.string(),
    author: z.string().min(1),
    state: z.enum(["open", "merged", "closed"]),
    /** Who closed it; the last comment is theirs or a later one. */
    closed_by: actor.nullable(),
    comments: z.array(z.strictObject({ author: z.string(), text: z.string() })),
  })
  .refine(
    (file) => (file.closed_by !== null) === (file.state === "closed"),
    "a closed pull request names who closed it, no other does",
  );

/** A pull request as it lies beside the repository. */
export type PullRequestFile = z.infer<typeof fileSchema>;

/** Decodes a pull request's file. Throws `forge-failed` when it is not exactly the format: damage is never "none". */
export function decodePullRequest(
  bytes: Uint8Array,
  at: { readonly path: string; readonly number: number },
): PullRequestFile {
  try {
    const file = fileSchema.parse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
    if (file.number !== at.number) throw new Error(`holds number ${file.number}`);
    return file;
  } catch (cause) {
    throw new TrueupError("forge-failed", {
      subject: at.path,
      detail: "the pull request's file is damaged",
      hint: "Mend or remove this file.",
      cause,
    });
  }
}

/** The bytes of a pull request's file, for people to read. */
export function encodePullRequest(file: PullRequestFile): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(file, null, 2)}\n`);
}

/** A file as the port shows it; the comment is the last one. */
export function toPullRequest(file: PullRequestFile, url: string): PullRequest {
  const { number, head_branch, base_branch, title, body, author, state } = file;
  const comment = file.comments.at(-1)?.text ?? null;
  const closed_by = file.closed_by === null ? null : { ...file.closed_by, comment };
  return { number, url, head_branch, base_branch, title, body, state, author, closed_by };
}
