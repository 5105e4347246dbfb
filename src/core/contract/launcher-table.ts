/** A launcher and what comes after its words: a program's name, or a script of the manifest. */
export interface LauncherRow {
  readonly words: readonly string[];
  /** `program` runs a binary of the dependencies; `script` the manifest's script named by `script` or by the next word. */
  readonly runs: "program" | "script";
  readonly script?: string;
  /** The launcher's own flags that change nothing, since the clean room runs its own binary. */
  readonly flags: readonly string[];
}

const npxFlags = ["--no-install", "--no", "--yes", "-y", "--offline", "--prefer-offline", "--quiet", "-q"] as const;

/** Launchers by their words; the longest match wins. */
export const launcherTable: readonly LauncherRow[] = [
  { words: ["npx"], runs: "program", flags: npxFlags },
  { words: ["npm", "exec"], runs: "program", flags: npxFlags },
  { words: ["npm", "x"], runs: "program", flags: npxFlags },
  { words: ["pnpm", "exec"], runs: "program", flags: [] },
  { words: ["pnpm"], runs: "program", flags: [] },
  { words: ["yarn", "exec"], runs: "program", flags: [] },
  { words: ["yarn", "run"], runs: "program", flags: [] },
  { words: ["yarn"], runs: "program", flags: [] },
  { words: ["bunx"], runs: "program", flags: ["--bun"] },
  { words: ["bun", "x"], runs: "program", flags: ["--bun"] },
  { words: ["npm", "test"], runs: "script", script: "test", flags: ["--silent", "-s"] },
  { words: ["npm", "t"], runs: "script", script: "test", flags: ["--silent", "-s"] },
  { words: ["npm", "tst"], runs: "script", script: "test", flags: ["--silent", "-s"] },
  { words: ["npm", "run"], runs: "script", flags: ["--silent", "-s"] },
  { words: ["npm", "run-script"], runs: "script", flags: ["--silent", "-s"] },
  { words: ["pnpm", "test"], runs: "script", script: "test", flags: [] },
  { words: ["pnpm", "run"], runs: "script", flags: [] },
  { words: ["yarn", "test"], runs: "script", script: "test", flags: [] },
  { words: ["bun", "run"], runs: "script", flags: [] },
];

/** Launchers that would bring a program from outside; nothing is fetched while a test runs. */
export const fetchingLaunchers: readonly (readonly string[])[] = [
  ["pnpm", "dlx"],
  ["pnpx"],
  ["yarn", "dlx"],
  ["npm", "init"],
  ["npm", "create"],
  ["uvx"],
  ["pipx"],
  ["go", "run"],
];
