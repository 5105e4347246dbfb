/** Settings of a repository's `.npmrc` that change what a lockfile means or which scripts run. Everything else is left out. */
export interface NpmSettings {
  /** Flags for npm, in a fixed order. */
  readonly flags: readonly string[];
  /** Whether the repository switches install scripts off. */
  readonly ignoreScripts: boolean;
}

const kept: Readonly<Record<string, RegExp>> = {
  "install-strategy": /^(?:hoisted|nested|shallow)$/u,
  "legacy-peer-deps": /^(?:true|false)$/u,
  "strict-peer-deps": /^(?:true|false)$/u,
};

/** Reads a `.npmrc` without expanding anything in it: addresses, tokens, shells and hooks are never taken from a repository. */
export function parseNpmSettings(text: string): NpmSettings {
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/u)) {
    const match = /^\s*([a-z-]+)\s*(?:=\s*(.*?))?\s*$/u.exec(line);
    if (match?.[1] !== undefined) found.set(match[1], (match[2] ?? "true").replace(/^(["'])(.*)\1$/u, "$2"));
  }
  const flags = Object.entries(kept).flatMap(([key, shape]) => {
    const value = found.get(key);
    return value !== undefined && shape.test(value) ? [`--${key}=${value}`] : [];
  });
  return { flags, ignoreScripts: found.get("ignore-scripts") === "true" };
}
