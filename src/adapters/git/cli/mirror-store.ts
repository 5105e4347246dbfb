import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TrueupError } from "../../../errors.ts";
import { type GitSettings, runGit } from "./git-process.ts";

/** Object ids of a repository: SHA-1 or SHA-256. */
export type ObjectFormat = "sha1" | "sha256";

/** The places of one mirror in the cache. `plain` has no attributes of ours, `forced` makes every file countable text. */
export interface MirrorPlace {
  readonly directory: string;
  readonly lock: string;
  /** A bare repository without any `info/attributes`: for exact patches and for base's own attributes. */
  readonly plain: string;
}

/** How a mirror is used: its programs, its place, its kind of ids. */
export interface MirrorContext {
  readonly settings: GitSettings;
  readonly place: MirrorPlace;
  readonly objectFormat: ObjectFormat;
  /** Scratch space, emptied by whoever makes something in it. */
  readonly scratch: string;
}

/** The only way on git 2.39 to make `-diff` and NUL text countable, and to keep every filter away. */
const forcedAttributes = "* -text -filter -ident -working-tree-encoding diff !merge\n";

export function mirrorPlace(cacheDirectory: string, url: string): MirrorPlace {
  const name = createHash("sha256").update(url).digest("hex");
  const directory = join(cacheDirectory, "mirrors", `${name}.git`);
  return {
    directory,
    lock: join(cacheDirectory, "mirrors", `${name}.lock`),
    plain: join(directory, "trueup-plain.git"),
  };
}

/** Makes an empty mirror, complete or not at all. */
export async function initMirror(settings: GitSettings, place: MirrorPlace, format: ObjectFormat): Promise<void> {
  const draft = `${place.directory}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await runGit(settings, { args: ["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, draft] });
  await mkdir(join(draft, "info"), { recursive: true });
  await writeFile(join(draft, "info", "attributes"), forcedAttributes);
  await writePlainRepository(join(draft, "trueup-plain.git"), format);
  await rename(draft, place.directory);
}

/** The kind of ids of an existing mirror, read from its own configuration; null when there is no mirror. */
export async function readObjectFormat(place: MirrorPlace): Promise<ObjectFormat | null> {
  if ((await stat(place.directory).catch(() => null)) === null) return null;
  const config = await readFile(join(place.directory, "config"), "utf8").catch(() => null);
  const attributes = await readFile(join(place.directory, "info", "attributes"), "utf8").catch(() => null);
  if (config === null || attributes !== forcedAttributes)
    throw new TrueupError("mirror-broken", { subject: place.directory });
  return objectFormatOf(config);
}

/** Reads `extensions.objectFormat` out of a repository's configuration text. */
export function objectFormatOf(config: string): ObjectFormat {
  return /^\s*objectformat\s*=\s*"?sha256"?\s*$/imu.test(config) ? "sha256" : "sha1";
}

/** Writes the few files of a bare repository by hand: no template, no configuration but ours. */
export async function writePlainRepository(directory: string, format: ObjectFormat, extra = ""): Promise<void> {
  await mkdir(join(directory, "refs"), { recursive: true, mode: 0o700 });
  await mkdir(join(directory, "objects", "info"), { recursive: true });
  await writeFile(join(directory, "HEAD"), "ref: refs/heads/trueup-unborn\n");
  const extensions = format === "sha256" ? "[extensions]\n\tobjectformat = sha256\n" : "";
  const version = format === "sha256" ? 1 : 0;
  await writeFile(
    join(directory, "config"),
    `[core]\n\trepositoryformatversion = ${version}\n\tbare = true\n${extensions}${extra}`,
  );
}

/** A directory of one's own in the mirror's scratch space; removed when `use` ends, however it ends. */
export async function withScratch<T>(context: MirrorContext, use: (directory: string) => Promise<T>): Promise<T> {
  await mkdir(context.scratch, { recursive: true, mode: 0o700 });
  const directory = await mkdtemp(join(context.scratch, "git-"));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
