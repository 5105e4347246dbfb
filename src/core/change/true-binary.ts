/** A binary format: the extensions that name it and what its first bytes must be. */
interface BinaryFormat {
  readonly extensions: readonly string[];
  readonly matches: (head: Uint8Array) => boolean;
}

const at =
  (offset: number, ...bytes: readonly number[]) =>
  (head: Uint8Array): boolean =>
    bytes.every((byte, index) => head[offset + index] === byte);
const word = (text: string): readonly number[] => [...Buffer.from(text, "latin1")];
const any =
  (...tests: readonly BinaryFormat["matches"][]): BinaryFormat["matches"] =>
  (head) =>
    tests.some((test) => test(head));
const all =
  (...tests: readonly BinaryFormat["matches"][]): BinaryFormat["matches"] =>
  (head) =>
    tests.every((test) => test(head));

const zip = any(at(0, 0x50, 0x4b, 0x03, 0x04), at(0, 0x50, 0x4b, 0x05, 0x06));

/** The table. An entry must be a format that no interpreter of source text reads. */
const formats: readonly BinaryFormat[] = [
  { extensions: ["png"], matches: at(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) },
  { extensions: ["jpg", "jpeg"], matches: at(0, 0xff, 0xd8, 0xff) },
  { extensions: ["gif"], matches: any(at(0, ...word("GIF87a")), at(0, ...word("GIF89a"))) },
  { extensions: ["webp"], matches: all(at(0, ...word("RIFF")), at(8, ...word("WEBP"))) },
  { extensions: ["avif", "heic", "mp4", "m4a", "m4v", "mov"], matches: all(at(0, 0x00, 0x00), at(4, ...word("ftyp"))) },
  { extensions: ["ico"], matches: at(0, 0x00, 0x00, 0x01, 0x00) },
  { extensions: ["bmp"], matches: all(at(0, ...word("BM")), at(6, 0, 0, 0, 0)) },
  { extensions: ["tif", "tiff"], matches: any(at(0, 0x49, 0x49, 0x2a, 0x00), at(0, 0x4d, 0x4d, 0x00, 0x2a)) },
  { extensions: ["pdf"], matches: at(0, ...word("%PDF-")) },
  { extensions: ["zip", "jar", "docx", "xlsx", "pptx", "odt", "epub"], matches: zip },
  { extensions: ["gz", "tgz"], matches: at(0, 0x1f, 0x8b, 0x08) },
  { extensions: ["bz2"], matches: all(at(0, ...word("BZh")), at(4, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59)) },
  { extensions: ["xz"], matches: at(0, 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00) },
  { extensions: ["zst"], matches: at(0, 0x28, 0xb5, 0x2f, 0xfd) },
  { extensions: ["7z"], matches: at(0, 0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c) },
  { extensions: ["woff"], matches: at(0, ...word("wOFF")) },
  { extensions: ["woff2"], matches: at(0, ...word("wOF2")) },
  { extensions: ["ttf"], matches: any(at(0, 0x00, 0x01, 0x00, 0x00), at(0, ...word("true"), 0x00)) },
  { extensions: ["otf"], matches: at(0, ...word("OTTO"), 0x00) },
  { extensions: ["wasm"], matches: at(0, 0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00) },
  {
    extensions: ["mp3"],
    matches: any(
      all(at(0, ...word("ID3")), (head) => (head[3] ?? 9) < 5),
      at(0, 0xff, 0xfb),
      at(0, 0xff, 0xf3),
    ),
  },
  { extensions: ["ogg", "oga", "ogv", "opus"], matches: at(0, ...word("OggS"), 0x00) },
  { extensions: ["flac"], matches: at(0, ...word("fLaC"), 0x00) },
  { extensions: ["wav"], matches: all(at(0, ...word("RIFF")), at(8, ...word("WAVE"))) },
  { extensions: ["webm", "mkv"], matches: at(0, 0x1a, 0x45, 0xdf, 0xa3) },
  { extensions: ["sqlite", "db"], matches: at(0, ...word("SQLite format 3"), 0x00) },
];

const byExtension: ReadonlyMap<string, BinaryFormat> = new Map(
  formats.flatMap((format) => format.extensions.map((extension) => [extension, format] as const)),
);

/** Whether a name's extension is one that could be a true binary, so that the blob's head is worth reading. */
export function maybeBinary(path: string): boolean {
  return byExtension.has(extensionOf(path));
}

/** True only when extension and magic bytes name the same binary format; a text name with NUL bytes is text. */
export function isTrueBinary(path: string, head: Uint8Array): boolean {
  return byExtension.get(extensionOf(path))?.matches(head) ?? false;
}

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}
