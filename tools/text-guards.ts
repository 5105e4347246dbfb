/** One place in a file that breaks a rule of the house. */
export interface Violation {
  readonly rule: string;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly excerpt: string;
}

interface Guard {
  readonly rule: string;
  /** Which files the rule is about, by repository-relative path. */
  readonly paths: RegExp;
  readonly forbidden: RegExp;
}

// Words are put together from pieces, so that this file does not hold what it looks for.
const words = (...names: readonly (readonly string[])[]): string => names.map((parts) => parts.join("")).join("|");
const hosts = words(
  ["registry\\.", "npmjs"],
  ["npmjs\\.", "(org|com)"],
  ["yarn", "pkg\\.com"],
  ["pypi\\.", "org"],
  ["npm", "mirror"],
);
const machine = words(["/work/", "(main|shared)\\b"], ["/tmp/", "(helpers|fresh)\\b"], ["/root/", "\\w"]);

const code = /\.(ts|mjs|cjs|js)$/;
const guards: readonly Guard[] = [
  { rule: "no-registry-host", paths: /./, forbidden: new RegExp(hosts, "i") },
  { rule: "no-machine-path", paths: /./, forbidden: new RegExp(`(^|[^\\w.-])(${machine})`) },
  { rule: "no-module-state", paths: /^src\/.*\.(ts|mjs)$/, forbidden: /^(export )?(let|var)\s/ },
];

const vagueNames = /(^|\/)([\w-]*-)?(utils?|helpers?|managers?|misc|common)([-.][^/]*)?(\/|$)/;
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/;

const scanName = (path: string): readonly Violation[] => {
  if (!/^(src|tools|test|bench)\//.test(path) || !code.test(path)) return [];
  const name = path.slice(path.lastIndexOf("/") + 1);
  const rules = [
    ...(vagueNames.test(path) ? ["no-vague-name"] : []),
    ...(kebabCase.test(name) ? [] : ["kebab-case-name"]),
  ];
  return rules.map((rule) => ({ rule, path, line: 1, excerpt: path }));
};

/** Every breach in one file, by its name and line by line. Pure: the caller reads the file. */
export const scanFile = (path: string, text: string): readonly Violation[] => {
  const applicable = guards.filter((guard) => guard.paths.test(path));
  const breaches = text
    .split("\n")
    .flatMap((content, index) =>
      applicable
        .filter((guard) => guard.forbidden.test(content))
        .map(({ rule }) => ({ rule, path, line: index + 1, excerpt: content.trim().slice(0, 120) })),
    );
  return [...scanName(path), ...breaches];
};
