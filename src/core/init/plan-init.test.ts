import { describe, expect, test } from "vitest";
import { parseContractValue } from "../contract/index.ts";
import { sha256 } from "../digest.ts";
import { emptyInitRecord, parseInitRecord, withFile } from "./init-record.ts";
import { renderLineDiff } from "./line-diff.ts";
import { planInit, planUninit, type FileState } from "./plan-init.ts";
import { guardScripts, isActionReference, proposeFiles, standingContract } from "./propose-files.ts";

const path = ".trueup/config.json";
const file = { path, text: "new\n", why: "policy" };
const text = (content: string): FileState => ({ kind: "text", text: content, digest: sha256(content) });
const nothing = emptyInitRecord("/r");
const wrote = withFile(nothing, { path, digest: sha256("old\n") }, [".trueup"]);

describe("what init does about a file", () => {
  test.each([
    ["is not there", { kind: "absent" }, nothing, "create"],
    ["is a link or a directory", { kind: "other", what: "a symbolic link" }, nothing, "keep"],
    ["is as proposed", text("new\n"), nothing, "same"],
    ["is the user's own", text("mine\n"), nothing, "keep"],
    ["is as an older init wrote it", text("old\n"), wrote, "update"],
    ["was changed since an older init", text("old, and mine\n"), wrote, "keep"],
  ] as const)("[I11] a file that %s", (_name, state, record, action) => {
    const [planned] = planInit([file], new Map<string, FileState>([[path, state]]), record);
    expect(planned?.action).toBe(action);
  });
});

describe("what uninit does about a file that init wrote", () => {
  test.each([
    ["is as written", text("old\n"), "remove"],
    ["was changed by the user", text("old, and mine\n"), "keep"],
    ["gave way to a link", { kind: "other", what: "a symbolic link" }, "keep"],
    ["is gone", { kind: "absent" }, "gone"],
  ] as const)("[I11] one that %s", (_name, state, action) => {
    const [planned] = planUninit(wrote, new Map<string, FileState>([[path, state]]));
    expect(planned?.action).toBe(action);
  });

  test("[I11] files that no record names are never looked at", () => {
    expect(planUninit(nothing, new Map([[path, text("old\n")]]))).toEqual([]);
  });
});

describe("the record", () => {
  test("reads back what was written", () => {
    expect(parseInitRecord(JSON.stringify(wrote))).toEqual(wrote);
  });
  test.each(["", "{", "{}", '{"version":2}', JSON.stringify({ ...wrote, files: [{ path: "a", digest: "x" }] })])(
    "%j is none, so nothing is removed by it",
    (broken) => expect(parseInitRecord(broken)).toBeNull(),
  );
  test("names a file and a directory once", () => {
    const again = withFile(wrote, { path, digest: sha256("new\n") }, [".trueup"]);
    expect(again).toMatchObject({ files: [{ path, digest: sha256("new\n") }], directories: [".trueup"] });
  });
});

describe("what is proposed", () => {
  const entry = { command: "npx vitest run", keep_base: true };

  test("a standing contract is valid and asks for no new behaviour", () => {
    const contract = standingContract({ entry, prepare: ["pretest"], guards: ["types"] });
    expect(contract).toMatchObject({ intent: "chore", tests: [entry], commands: [{ command: "npm run types" }] });
    expect(parseContractValue(contract).ok).toBe(true);
  });

  test("nothing that nothing says: no contract without a trial, no workflow without an Action", () => {
    const bare = { entry: null, prepare: ["prepare"], guards: [], actionReference: null };
    expect(proposeFiles(bare).map((one) => one.path)).toEqual([".trueup/config.json"]);
    const paths = proposeFiles({ ...bare, entry, actionReference: "acme/trueup/action@v1" }).map((one) => one.path);
    expect(paths).toEqual([".trueup/config.json", ".trueup/contract.json", ".github/workflows/trueup.yml"]);
  });

  test("scripts that check; none that writes", () => {
    expect(guardScripts({ types: "tsc --noEmit", lint: "eslint --fix .", test: "vitest" })).toEqual(["types"]);
  });

  test.each([
    ["acme/trueup/action@v1", true],
    ["acme/trueup@0123abc", true],
    ["acme/trueup/action", false],
    ["./action@v1", false],
    ["acme/../x@v1", false],
    ["acme/trueup@v1\n      - run: evil", false],
  ])("%j is a reference to an Action: %s", (reference, expected) => {
    expect(isActionReference(reference)).toBe(expected);
  });
});

describe("the shown difference", () => {
  test("a new file is all new; of a changed one only what differs, with a line around it", () => {
    expect(renderLineDiff("a", null, "x\ny\n")).toEqual(["--- /dev/null", "+++ a", "+x", "+y"]);
    expect(renderLineDiff("a", "1\n2\n3\n4\n", "1\n2\nthree\n4\n")).toEqual([
      "--- a",
      "+++ a",
      " 2",
      "-3",
      "+three",
      " 4",
    ]);
  });
});
