import { parseDocument, stringify } from "yaml";
import { TrueupError } from "../../../errors.ts";
import { proxyOrigin, homeInside } from "../shared/install-room.ts";
import { isObject, type JsonObject } from "../shared/json-file.ts";

/** Settings of a `.yarnrc.yml` that change what a lockfile means or how packages are laid out; everything else is left out. */
const kept = [
  "compressionLevel",
  "nmHoistingLimits",
  "nmSelfReferences",
  "packageExtensions",
  "supportedArchitectures",
  "defaultProtocol",
  "logFilters",
  "catalog",
  "catalogs",
] as const;

/** What a repository's settings say, cut down to what an installation may heed. */
export interface YarnSettings {
  /** The `.yarnrc.yml` that yarn is given. */
  readonly text: string;
  /** Whether the repository switches install scripts off. */
  readonly ignoreScripts: boolean;
  /** The version in the name of the yarn that the repository carries; that program is never run. */
  readonly carried: string | null;
}

/** Reads the settings of yarn 3 and 4. Throws `manifest-invalid`, and `lockfile-unsupported` where packages are not in `node_modules`. */
export function parseYarnSettings(bytes: Uint8Array | null, path: string): YarnSettings {
  const json = bytes === null ? {} : readYaml(new TextDecoder().decode(bytes), path);
  const linker = json["nodeLinker"];
  if (linker !== "node-modules")
    throw new TrueupError("lockfile-unsupported", {
      subject: path,
      detail:
        linker === undefined
          ? "yarn's default, Plug'n'Play, keeps packages in archives"
          : `nodeLinker is ${JSON.stringify(linker)}`,
      hint: "Set `nodeLinker: node-modules`, run `yarn install`, and commit both files.",
    });
  const carried = /(?:^|\/)yarn-(\d+\.\d+\.\d+[\w.-]*)\.c?js$/u.exec(String(json["yarnPath"]))?.[1] ?? null;
  const own = Object.fromEntries(kept.flatMap((key) => (json[key] === undefined ? [] : [[key, json[key]]])));
  return { text: stringify({ ...own, ...fixed }), ignoreScripts: json["enableScripts"] === false, carried };
}

/** Ours, over whatever the repository says. */
const fixed = {
  nodeLinker: "node-modules",
  npmRegistryServer: proxyOrigin,
  unsafeHttpWhitelist: ["127.0.0.1"],
  cacheFolder: `${homeInside}/cache`,
  globalFolder: `${homeInside}/yarn`,
  enableGlobalCache: false,
  enableTelemetry: false,
  enableProgressBars: false,
  enableColors: false,
  checksumBehavior: "throw",
  httpRetry: 0,
};

function readYaml(text: string, path: string): JsonObject {
  const document = parseDocument(text);
  const value: unknown = document.errors.length > 0 ? null : (document.toJS({ maxAliasCount: 100 }) ?? {});
  if (isObject(value)) return value;
  throw new TrueupError("manifest-invalid", {
    subject: path,
    detail: document.errors[0]?.message.split("\n")[0] ?? "it is not a map",
  });
}
