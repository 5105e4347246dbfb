import type { StubPackage } from "./dependencies-stub-registry.ts";

/** A package with a bin and nothing to run. */
export const plain: StubPackage = {
  name: "plain",
  version: "1.0.0",
  manifest: { bin: { plain: "bin/plain.js" } },
  files: { "bin/plain.js": "#!/usr/bin/env node\n", "index.js": "module.exports = 1\n" },
};
/** A scoped pre-release. */
export const scoped: StubPackage = { name: "@o/scoped", version: "2.3.4-rc.1" };
/** Its install script uses node and npm and writes a file. */
export const builds: StubPackage = {
  name: "builds",
  version: "1.0.0",
  manifest: { scripts: { install: "node build.js" } },
  files: {
    "build.js":
      "require('fs').writeFileSync('built', process.version + ' ' + require('child_process').execSync('npm --version'))\n",
  },
};
/** Its install script asks a server that listens on this machine and that a process with any network would reach. */
export const downloadsFrom = (url: string): StubPackage => ({
  name: "downloads",
  version: "1.0.0",
  manifest: { scripts: { postinstall: "node get.js" } },
  files: {
    "get.js": `require('http').get('${url}', () => process.exit(0)).on('error', (e) => { console.error('download failed', e.code); process.exit(1) })`,
  },
});
