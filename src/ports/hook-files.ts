/** Where git looks for the hooks of a repository. */
export interface GitHookPlace {
  /** Absolute; `core.hooksPath` is respected, and linked work trees share theirs. */
  readonly directory: string;
  /** The work tree's root; null in a bare repository. */
  readonly root: string | null;
  /** The hooks lie among the work tree's own files: they are committed, or made by a tool that manages them. */
  readonly managed: boolean;
}

/** The files that hooks are. Throws `hook-unwritable` where one cannot be read or written. */
export interface HookFiles {
  /** Null outside a repository. */
  findGitHooks(directory: string): Promise<GitHookPlace | null>;
  /** A file's text, links followed; null when there is nothing of the name. */
  read(file: string): Promise<string | null>;
  /** Replaces or makes a file whole, with its directories. A link at the name is replaced, its target untouched. */
  writeProgram(file: string, text: string): Promise<void>;
  /** As `writeProgram`, but a link is followed and an existing file's mode stays. */
  writeSettings(file: string, text: string): Promise<void>;
  /** Renames over whatever has the new name. */
  move(from: string, to: string): Promise<void>;
  remove(file: string): Promise<void>;
  /** Removes a directory if nothing is in it. */
  removeEmpty(directory: string): Promise<void>;
}

/** A hook as its client starts it. */
export interface FiredHook {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly input: string;
  /** Beside the environment of whoever asks. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts an installed hook to see whether it answers. */
export interface HookFirer {
  /** What it printed on standard output; null when it could not be started or did not end in time. */
  fire(hook: FiredHook): Promise<string | null>;
}
