"use strict";
/*
 * What the reporter for jest says of a project, and of the files that decide how its tests run. Part of the witness:
 * read-only, beside it.
 */
const fs = require("node:fs");
const path = require("node:path");

const closureLimit = 5000;
const bytesLimit = 4 * 1024 * 1024;
const extensions = [
  "",
  ".js",
  ".cjs",
  ".mjs",
  ".ts",
  ".cts",
  ".mts",
  ".jsx",
  ".tsx",
  ".json",
  "/index.js",
  "/index.ts",
];
const configNames = ["js", "cjs", "mjs", "ts", "cts", "mts", "json"].map((end) => `jest.config.${end}`);
const specifier = /(?:\bfrom|\bimport|\brequire(?:Actual|Mock)?|\bresolve)\s*\(?\s*(["'`])([^"'`\n]+)\1/gu;

const textOf = (value) => (typeof value === "string" ? value : null);
const strings = (value) => (Array.isArray(value) ? value : []).filter((item) => typeof item === "string");
const firsts = (value) =>
  strings((Array.isArray(value) ? value : []).map((item) => (Array.isArray(item) ? item[0] : item)));

/** A project's name as identities carry it: its own, or the place of its root where several have none. */
function projectName(config, globalConfig) {
  const name = textOf(config.displayName?.name);
  if (name !== null) return name;
  return path.relative(globalConfig.rootDir, config.rootDir);
}

/** Modules that jest loads for a project or a run, as absolute paths; names of packages are resolved by jest already. */
function rootFilesOf(config, globalConfig) {
  const single = [
    config.globalSetup,
    config.globalTeardown,
    config.resolver,
    config.runner,
    config.runtime,
    config.testRunner,
    config.testEnvironment,
    config.snapshotResolver,
    config.dependencyExtractor,
    config.haste?.hasteImplModulePath,
    config.prettierPath,
    globalConfig.globalSetup,
    globalConfig.globalTeardown,
    globalConfig.filter,
    globalConfig.testResultsProcessor,
    globalConfig.testSequencer,
  ];
  const transforms = (Array.isArray(config.transform) ? config.transform : []).map((item) => item?.[1]);
  const found = [
    ...strings(single),
    ...strings(config.setupFiles),
    ...strings(config.setupFilesAfterEnv),
    ...strings(config.snapshotSerializers),
    ...strings(transforms),
    ...firsts(globalConfig.reporters),
    ...firsts(globalConfig.watchPlugins),
  ];
  return [...new Set(found.filter((file) => path.isAbsolute(file)))];
}

/** Configuration files that lie where jest looks for them. */
function configFilesOf(directories) {
  return directories
    .flatMap((directory) => configNames.map((name) => path.join(directory, name)))
    .filter((file) => fs.existsSync(file));
}

function sourceOf(file) {
  try {
    const { size } = fs.statSync(file);
    return size > bytesLimit ? "" : fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

const isFile = (file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;

/** What a specifier names, seen from a file: beside it, or by the project's own aliases. Null for what is no file. */
function resolveFrom(file, name, resolvers) {
  if (name.startsWith(".") || name.startsWith("/")) {
    const start = path.resolve(path.dirname(file), name);
    const found = extensions.map((end) => start + end).find(isFile);
    // A name that ends in `.js` may be written for a `.ts` file.
    return found ?? [".ts", ".tsx", ".mts"].map((end) => start.replace(/\.[cm]?js$/u, end)).find(isFile) ?? null;
  }
  for (const resolver of resolvers) {
    try {
      return resolver.resolveModule(file, name);
    } catch {
      // Another project may know the alias; a built-in module is known to none.
    }
  }
  return null;
}

const ofRepository = (file) => path.isAbsolute(file) && !file.includes("/node_modules/");

/** Every file of the repository that the entries reach by the specifiers written in them, entries included. */
function closureOf(entries, resolvers) {
  const seen = new Set();
  const waiting = [...entries];
  while (waiting.length > 0 && seen.size < closureLimit) {
    const file = waiting.pop();
    if (!ofRepository(file) || seen.has(file)) continue;
    seen.add(file);
    for (const [, , name] of sourceOf(file).matchAll(specifier)) {
      const next = resolveFrom(file, name, resolvers);
      if (next !== null) waiting.push(next);
    }
  }
  return [...seen];
}

/** Modules of the repository that the main process has loaded: configuration, presets, set-up, plug-ins. */
const loadedModules = () => Object.keys(require.cache).filter(ofRepository);

module.exports = { closureOf, configFilesOf, loadedModules, projectName, rootFilesOf, textOf };
