import type { Digest } from "../digest.ts";
import type { InitRecord } from "./init-record.ts";

/** What stands at a path of a work tree. `other`: something that is never written over, in words. */
export type FileState =
  | { readonly kind: "absent" }
  | { readonly kind: "text"; readonly text: string; readonly digest: Digest }
  | { readonly kind: "other"; readonly what: string };

/** A file that would be good to have. */
export interface ProposedFile {
  readonly path: string;
  readonly text: string;
  /** What it is for, in one line. */
  readonly why: string;
}

/** What is done about a proposed file. A file that somebody else wrote or changed is kept, whatever is in it. */
export type FileAction =
  | { readonly action: "create"; readonly path: string; readonly text: string; readonly why: string }
  | {
      readonly action: "update";
      readonly path: string;
      readonly before: string;
      readonly expected: Digest;
      readonly text: string;
      readonly why: string;
    }
  | { readonly action: "same" | "keep"; readonly path: string; readonly why: string };

/** Decides for each proposed file from what stands there now and from what was written here before. */
export function planInit(
  proposed: readonly ProposedFile[],
  states: ReadonlyMap<string, FileState>,
  record: InitRecord,
): readonly FileAction[] {
  return proposed.map(({ path, text, why }): FileAction => {
    const state = states.get(path) ?? { kind: "absent" };
    if (state.kind === "absent") return { action: "create", path, text, why };
    if (state.kind === "other") return { action: "keep", path, why: `there is ${state.what} at this path` };
    if (state.text === text) return { action: "same", path, why: "as proposed already" };
    const written = record.files.find((file) => file.path === path);
    if (written === undefined) return { action: "keep", path, why: "it is yours: init did not write it" };
    if (written.digest !== state.digest)
      return { action: "keep", path, why: "you have changed it since init wrote it" };
    return { action: "update", path, before: state.text, expected: state.digest, text, why };
  });
}

/** What is done about a file that `init` wrote. */
export type RemovalAction =
  | { readonly action: "remove"; readonly path: string; readonly expected: Digest }
  | { readonly action: "keep" | "gone"; readonly path: string; readonly why: string };

/** Only what still has the bytes that `init` wrote is removed; everything else is somebody's work. */
export function planUninit(record: InitRecord, states: ReadonlyMap<string, FileState>): readonly RemovalAction[] {
  return record.files.map(({ path, digest }): RemovalAction => {
    const state = states.get(path) ?? { kind: "absent" };
    if (state.kind === "absent") return { action: "gone", path, why: "it is not there any more" };
    if (state.kind === "other") return { action: "keep", path, why: `there is ${state.what} at this path` };
    if (state.digest !== digest) return { action: "keep", path, why: "you have changed it since init wrote it" };
    return { action: "remove", path, expected: digest };
  });
}
