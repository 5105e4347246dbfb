// The room table of CONTRIBUTING.md as rules. Each has a planted breach in test/architecture/import-rules.test.ts.
const tests = "\\.test\\.ts$";
/** Libraries without input or output of their own. */
const pureLibraries =
  "(^|/)node_modules/(@types/)?(zod|picomatch|canonicalize|mdast-util-from-markdown|mdast|unist|yaml|semver)/";
/** Parses code that nobody runs; only the lint of a change needs it. */
const codeParser = "(^|/)node_modules/@babel/parser/";
/** Reads XML, which only runners' reports are written in. */
const xmlReader = "(^|/)node_modules/saxes/";
/** Node modules that compute and do not reach outside the process. */
const computing = "^(node:)?(crypto|buffer|util|path(/posix)?|string_decoder|url)$";
const formats = "^src/core/(contract|record|test-report|change|lint|canary)/";
const facts = "^src/core/facts/";
/** Files of core itself: digests, text. Any room of core may use them. */
const coreFiles = "^src/core/[^/]+\\.ts$";
const errors = "^src/error(s|-table(-person|-repository)?)\\.ts$";

/** Everything under `from` may import what `allowed` matches and nothing else. */
const rooms = [
  {
    name: "core-is-pure",
    from: "^src/core/",
    allowed: ["^src/core/", pureLibraries, codeParser, "^(node:)?(crypto|buffer)$"],
    comment: "No input, output, clock, randomness, process or environment.",
  },
  {
    name: "formats-are-leaves",
    from: "^src/core/(contract|record|test-report|change|lint|canary)/",
    allowed: ["^src/core/$1/", facts, coreFiles, pureLibraries, codeParser, computing],
    comment: "No format imports another; what a format decodes to may be a type of the facts.",
  },
  {
    name: "facts-are-types",
    from: facts,
    allowed: [facts, formats, coreFiles],
    comment: "The waist: types over the formats.",
  },
  {
    name: "gate-reads-facts",
    from: "^src/core/gate/",
    allowed: ["^src/core/(gate|override)/", facts, formats, coreFiles, pureLibraries, computing],
    comment: "gate <- publication <- task.",
  },
  {
    name: "override-reads-facts",
    from: "^src/core/override/",
    allowed: ["^src/core/override/", facts, formats, coreFiles, pureLibraries, computing],
    comment: "Decisions over facts.",
  },
  {
    name: "publication-reads-gate",
    from: "^src/core/publication/",
    allowed: ["^src/core/(publication|gate)/", facts, formats, coreFiles, pureLibraries, computing],
    comment: "gate <- publication <- task.",
  },
  {
    name: "task-reads-publication",
    from: "^src/core/task/",
    allowed: ["^src/core/(task|publication|gate)/", facts, formats, coreFiles, pureLibraries, computing],
    comment: "gate <- publication <- task.",
  },
  {
    name: "config-alone",
    from: "^src/core/config/",
    allowed: ["^src/core/config/", coreFiles, pureLibraries, computing],
    comment: "Configuration knows no other room.",
  },
  {
    name: "runners-read-formats",
    from: "^src/runners/",
    allowed: ["^src/runners/", facts, formats, coreFiles, pureLibraries, xmlReader, computing],
    comment: "A runner is pure: launch, dialect, trust roots.",
  },
  {
    name: "witness-alone",
    from: "^src/witness/",
    allowed: ["^src/witness/", "^(node:)?[a-z_/]+$"],
    comment: "Mounted into the clean room as files: nothing of the package, only what Node itself has.",
  },
  {
    name: "ports-know-core",
    from: "^src/ports/",
    allowed: ["^src/(ports|core)/", computing],
    comment: "Interfaces over core's types.",
  },
  {
    name: "app-uses-ports",
    from: "^src/app/",
    allowed: ["^src/(app|core|runners|ports)/", errors, pureLibraries, computing],
    comment: "Use cases over ports: no adapter, no input or output.",
  },
  {
    name: "reporters-render",
    from: "^src/reporters/",
    allowed: ["^src/(reporters|core)/", errors, pureLibraries, computing],
    comment: "A verdict to text.",
  },
  { name: "errors-alone", from: errors, allowed: [errors], comment: "Every room may use them, so they use none." },
  {
    name: "index-is-the-surface",
    from: "^src/index\\.ts$",
    allowed: ["^src/(core|app|ports|reporters)/", errors],
    comment: "Named exports of the library.",
  },
];

const toRule = ({ name, from, allowed, comment }) => ({
  name,
  severity: "error",
  comment,
  from: { path: from, pathNot: tests },
  to: { pathNot: allowed },
});

export default {
  forbidden: [
    ...rooms.map(toRule),
    {
      name: "formats-take-only-types-of-facts",
      severity: "error",
      comment: "The facts stand over the formats: at run time no format needs them.",
      from: { path: formats, pathNot: tests },
      to: { path: facts, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "adapters-know-ports",
      severity: "error",
      comment: "Ports, core, runners, errors, own folders and vendor libraries; never app, entry, reporters, witness.",
      from: { path: "^src/adapters/", pathNot: tests },
      to: { path: "^src/", pathNot: ["^src/(adapters|ports|core|runners)/", errors] },
    },
    {
      name: "adapters-stand-alone",
      severity: "error",
      comment: "Never another adapter; what two of one port share lies in that port's shared folder.",
      from: { path: "^src/adapters/([^/]+)/([^/]+)/", pathNot: tests },
      to: { path: "^src/adapters/", pathNot: ["^src/adapters/$1/($2|shared)/"] },
    },
    {
      name: "nobody-imports-entry",
      severity: "error",
      comment: "Entries read argv and environment and build the object graph.",
      from: { path: "^src/", pathNot: ["^src/entry/", tests] },
      to: { path: "^src/entry/" },
    },
    {
      name: "xml-only-in-runners",
      severity: "error",
      comment: "Reports are the only XML we read, and a runner's dialect the only place that reads one.",
      from: { path: "^src/", pathNot: ["^src/runners/", tests] },
      to: { path: xmlReader },
    },
    {
      name: "every-file-has-a-room",
      severity: "error",
      comment: "A file outside the rooms would be under no rule.",
      from: {},
      to: {
        path: "^src/",
        pathNot: [
          "^src/(core|runners|witness|ports|app|adapters/[^/]+/[^/]+|reporters|entry)/",
          "^src/(errors|error-table|error-table-person|error-table-repository|index)\\.ts$",
        ],
      },
    },
    {
      name: "no-cycle",
      severity: "error",
      comment: "Two files that need each other are one file or three. A cycle of types alone is gone at run time.",
      from: { path: "^src/" },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "product-without-tests",
      severity: "error",
      comment: "What is published imports no test, tool or benchmark.",
      from: { path: "^src/", pathNot: tests },
      to: { path: ["^(test|tools|bench)/", tests] },
    },
    {
      name: "product-without-dev-dependencies",
      severity: "error",
      comment: "What is published imports only what it installs.",
      from: { path: "^src/", pathNot: [tests, "^src/witness/"] },
      to: { dependencyTypes: ["npm-dev", "npm-unknown", "npm-no-pkg"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "every-import-resolves",
      severity: "error",
      comment: "An import that the tool cannot follow is an import it cannot judge.",
      from: { path: "^src/" },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "node", "default"] },
  },
};
