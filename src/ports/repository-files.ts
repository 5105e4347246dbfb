import type { Digest } from "../core/digest.ts";
import type { FileState } from "../core/init/index.ts";

/** Files of one work tree, by paths relative to its root. Never goes through a symbolic link. */
export interface RepositoryFiles {
  readonly root: string;
  read(path: string): Promise<FileState>;
  /** Makes a file that is not there, and says which directories that took, outermost first. `in-the-way`: something is there now. */
  create(
    path: string,
    text: string,
  ): Promise<
    { readonly outcome: "created"; readonly directories: readonly string[] } | { readonly outcome: "in-the-way" }
  >;
  /** Replaces a file whole, if its bytes are still those of `expected`. */
  replace(path: string, text: string, expected: Digest): Promise<"replaced" | "changed">;
  /** Removes a file, if its bytes are still those of `expected`. */
  remove(path: string, expected: Digest): Promise<"removed" | "changed" | "absent">;
  /** Removes a directory if nothing is in it, and says whether it is gone. */
  removeEmptyDirectory(path: string): Promise<boolean>;
}
