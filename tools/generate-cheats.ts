/** `generate-cheats.ts [--check]` writes `docs/cheats.md` from the corpus; with --check it exits 1 when the page is stale. */
import fs from "node:fs";
import path from "node:path";
import { format } from "prettier";
import { loadCorpus } from "./corpus/load-corpus.ts";
import { renderPage } from "./corpus/render-page.ts";
import { readFigures, staleFigures } from "./corpus/repeat-figures.ts";

const root = path.dirname(import.meta.dirname);
const corpus = path.join(root, "corpus");
const { cases, errors } = loadCorpus(corpus);
if (errors.length > 0) throw new Error(errors.join("\n"));
const stale = staleFigures(corpus, cases);
if (stale.length > 0)
  throw new Error(
    `figures of cases that have changed: ${stale.join(", ")}; run npm run corpus -- --repeat 20 --record --case EACH`,
  );
const page = path.join(root, "docs", "cheats.md");
const text = await format(renderPage(cases, readFigures(corpus)), { parser: "markdown", printWidth: 120 });
if (process.argv.includes("--check")) {
  const fresh = fs.existsSync(page) && fs.readFileSync(page, "utf8") === text;
  process.stdout.write(fresh ? `${cases.length} cases on the page\n` : "stale: npm run corpus:page\n");
  process.exitCode = fresh ? 0 : 1;
} else fs.writeFileSync(page, text);
