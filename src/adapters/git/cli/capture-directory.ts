import type { BytePath } from "../../../core/change/index.ts";
import { decodePath } from "../../../core/change/index.ts";
import type { Undetermined } from "../../../core/facts/index.ts";
import type { CapturedTree, CaptureOptions, CommitRef } from "../../../ports/index.ts";
import { readBaseAttributes } from "./base-attributes.ts";
import type { MirrorContext } from "./mirror-store.ts";
import { type BaseBlobs, normalForm } from "./normal-form.ts";
import { createObjectWriter } from "./object-writer.ts";
import { createFileReader, type FileReader, type FileReading } from "./read-file-bytes.ts";
import { readObjects } from "./read-objects.ts";
import { type TreeItem, type TreeListing, writeTree } from "./tree-objects.ts";
import { walkDirectory, type WalkResult } from "./walk-directory.ts";

/** A file whose raw bytes are not those of base. */
interface Different {
  readonly path: BytePath;
  readonly reading: FileReading;
}

interface Survey {
  readonly walk: WalkResult;
  /** Items of the new tree that are known already: unchanged ones, symlinks, submodules. */
  readonly items: Map<BytePath, TreeItem>;
  readonly different: readonly Different[];
  readonly links: ReadonlyMap<BytePath, Buffer>;
  readonly undetermined: readonly Undetermined[];
}

/**
 * Captures a directory against base as one tree in the mirror. Two passes: hash everything, then read again only what
 * differs, so that memory stays small and a file that changes in between is noticed.
 */
export async function captureDirectory(
  context: MirrorContext,
  base: TreeListing,
  request: { readonly directory: string; readonly base: CommitRef; readonly options: CaptureOptions },
): Promise<CapturedTree> {
  const root = Buffer.from(request.directory, "utf8").toString("latin1");
  const reader = createFileReader(root, context.objectFormat);
  const survey = await surveyDirectory(root, base, { reader, signal: request.options.signal });
  const undetermined = [...survey.undetermined];
  if (request.options.sparse === true) undetermined.push(...keepUnmaterialised(base, survey));
  const writer = createObjectWriter(context, presence(base));
  const attributes = await readBaseAttributes(
    context,
    base,
    survey.different.map((file) => file.path),
  );
  const blobs = createBaseBlobs(context);
  for (const file of survey.different) {
    const tracked = base.items.get(file.path) ?? null;
    const raw = reader.read(file.path, file.reading.id);
    const form = await normalForm({
      raw,
      tracked,
      attributes: attributes.get(file.path) ?? null,
      fallback: request.options.crlf === true ? "auto" : "as-is",
      blobs,
    });
    if (form.doubt !== null)
      undetermined.push({
        code: form.doubt,
        subject: decodePath(file.path).path,
        detail: "base's attributes ask for a conversion that is not made",
      });
    survey.items.set(file.path, { mode: file.reading.mode, id: await writer.add("blob", form.bytes) });
  }
  for (const [path, target] of survey.links)
    survey.items.set(path, { mode: "120000", id: await writer.add("blob", target) });
  const tree = await writeTree(survey.items, base, writer);
  await writer.flush();
  return { tree, ignored: survey.walk.ignored, hazards: survey.walk.hazards, undetermined };
}

async function surveyDirectory(
  root: BytePath,
  base: TreeListing,
  { reader, signal }: { readonly reader: FileReader; readonly signal: AbortSignal | undefined },
): Promise<Survey> {
  const items = new Map<BytePath, TreeItem>();
  const different: Different[] = [];
  const links = new Map<BytePath, Buffer>();
  const undetermined: Undetermined[] = [];
  const walk = await walkDirectory(
    { root, base, signal },
    {
      onFile(path) {
        const reading = reader.hash(path);
        const tracked = base.items.get(path);
        if (tracked?.id !== reading.id) different.push({ path, reading });
        else items.set(path, tracked.mode === reading.mode ? tracked : { mode: reading.mode, id: reading.id });
      },
      onSymlink(path) {
        links.set(path, reader.readLink(path));
      },
      onSubmodule(path, empty) {
        const tracked = base.items.get(path);
        if (tracked !== undefined) items.set(path, tracked);
        if (!empty)
          undetermined.push({
            code: "submodule",
            subject: decodePath(path).path,
            detail:
              "what a submodule holds is not measured; empty it (`git submodule deinit`), or judge the index or a commit, where only its id counts",
          });
      },
    },
  );
  return { walk, items, different, links, undetermined };
}

/** In a sparse work tree a missing path was never there: it counts as base, and that is said. */
function keepUnmaterialised(base: TreeListing, survey: Survey): readonly Undetermined[] {
  const captured = new Set([
    ...survey.items.keys(),
    ...survey.links.keys(),
    ...survey.different.map((file) => file.path),
  ]);
  const missing = [...base.items].filter(([path]) => !captured.has(path) && !shadowed(path, captured));
  for (const [path, item] of missing) survey.items.set(path, item);
  if (missing.length === 0) return [];
  return [
    {
      code: "sparse",
      subject: decodePath(missing[0]?.[0] ?? "").path,
      detail: `${missing.length} paths are not in the work tree`,
    },
  ];
}

/** Whether a captured file stands where a base path has a directory. */
function shadowed(path: BytePath, captured: ReadonlySet<BytePath>): boolean {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
    if (captured.has(path.slice(0, at))) return true;
  return false;
}

function presence(base: TreeListing): (id: string) => boolean {
  const known = new Set([...base.directories.values(), ...[...base.items.values()].map((item) => item.id)]);
  return (id) => known.has(id);
}

/** Base blobs are wanted one at a time, and rarely. */
function createBaseBlobs(context: MirrorContext): BaseBlobs {
  return {
    async read(id) {
      let bytes: Buffer = Buffer.alloc(0);
      await readObjects(context, [id], (object) => {
        bytes = object.bytes;
      });
      return bytes;
    },
    format: context.objectFormat,
  };
}
