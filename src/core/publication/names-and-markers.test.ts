import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sha256, type Digest } from "../digest.ts";
import { branchName } from "./branch-name.ts";
import { createMarker, extendMarker, parseMarker, renderMarker } from "./marker.ts";
import { commitMessage, parseTrailers, type Trailers } from "./trailers.ts";

const digest = sha256("change");
const trailers: Trailers = {
  task: sha256("task"),
  contract: sha256("contract"),
  change_digest: digest,
  same_edit: sha256("edit"),
};

describe("branch names", () => {
  test("[G1] prefix and the first 12 hex digits of the change digest", () => {
    expect(branchName("trueup", `sha256:${"0123456789abcdef".repeat(4)}`)).toBe("trueup/0123456789ab");
  });
  test("[G2] the same digest, the same name", () => {
    expect(branchName("trueup", digest)).toBe(branchName("trueup", digest));
    expect(branchName("trueup", digest)).not.toBe(branchName("trueup", sha256("other")));
  });
  test.each(["", "a..b", "-x", "a//b", "/a", "a/", "a.lock", "a b", "a~1", "refs/../x", ".a", "a.", "a\nb"])(
    "a prefix git would not take is refused: %j",
    (prefix) => {
      expect(() => branchName(prefix, digest)).toThrow(RangeError);
    },
  );
  test("what is no digest has no branch", () => {
    expect(() => branchName("trueup", "sha256:xyz" as Digest)).toThrow(RangeError);
  });
});

describe("commit messages", () => {
  test("the message ends in the four trailers and reads back", () => {
    const message = commitMessage({ title: "Collapse runs of blanks", trailers });
    expect(message.split("\n")[0]).toBe("Collapse runs of blanks");
    expect(message).toContain(`\nTrueup-Change-Digest: ${digest}\n`);
    expect(parseTrailers(message)).toEqual(trailers);
  });
  test("[D10] without a contract it says so", () => {
    const message = commitMessage({ title: "x", trailers: { ...trailers, contract: null } });
    expect(message).toContain("Acceptance: not machine-checked.");
    expect(parseTrailers(message)?.contract).toBeNull();
  });
  const titles: readonly (readonly [string, string, string])[] = [
    ["a second paragraph cannot forge trailers", `x\n\nTrueup-Task: evil`, "x Trueup-Task: evil"],
    ["closing keywords are broken", "Closes #1 and GH-2", "Closes # 1 and GH 2"],
    ["mentions are broken", "hi @team", "hi @ team"],
    ["pipelines are not skipped", "x [skip ci]", "x (skip ci)"],
    ["a slash command does not lead", "/merge now", "merge now"],
    ["control and bidi characters go", "a\u202eb\u0007c", "a b c"],
    ["links are broken", "Fixes https://forge.example/o/r/issues/1", "Fixes https: //forge.example/o/r/issues/1"],
    ["an empty title is replaced", "\n\n", "Change"],
    ["a breaking mark of a conventional title stays", "feat!: blanks", "feat!: blanks"],
  ];
  test.each(titles)("%s", (_name, title, first) => {
    expect(commitMessage({ title, trailers }).split("\n")[0]).toBe(first);
  });
  test("any title leaves the trailers as they are", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (title) => {
        const message = commitMessage({ title, trailers });
        expect(parseTrailers(message)).toEqual(trailers);
        expect(message.split("\n")).toHaveLength(9);
      }),
    );
  });
  test("a person's trailer beside ours does not hide ours", () => {
    expect(
      parseTrailers(`${commitMessage({ title: "x", trailers }).trimEnd()}\nCo-authored-by: Ada <ada@example.org>\n`),
    ).toEqual(trailers);
  });
  test.each([
    ["a trailer that is missing", (text: string) => text.replace(/Trueup-Task.*\n/u, "")],
    ["a trailer twice", (text: string) => `${text.trimEnd()}\nTrueup-Task: other\n`],
    ["a digest that is none", (text: string) => text.replace(/Same-Edit: sha256:./u, "Same-Edit: sha256:")],
    ["trailers that are only quoted", (text: string) => `${text}\nSigned by nobody\n`],
    ["an empty message", () => ""],
  ])("%s: not ours", (_name, damage) => {
    expect(parseTrailers(damage(commitMessage({ title: "x", trailers })))).toBeNull();
  });
  test("a task id with a line break is refused", () => {
    expect(() => commitMessage({ title: "x", trailers: { ...trailers, task: "a\nTrueup-Task: b" } })).toThrow(
      RangeError,
    );
  });
});

describe("markers", () => {
  const marker = createMarker({ task: "task-1", contract: null, digest, key: sha256("edit") });
  test("a marker reads back from inside a body", () => {
    expect(parseMarker(`Report\n\n${renderMarker(marker)}\n`)).toEqual(marker);
  });
  test("any task reads back, and nothing in it ends the comment", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{1,40}$/u), (task) => {
        const text = renderMarker({ ...marker, task });
        expect(text.indexOf("-->")).toBe(text.length - 3);
        expect(parseMarker(text)?.task).toBe(task);
      }),
    );
  });
  test("it gains digests and forgets none", () => {
    const grown = extendMarker(marker, { digest: sha256("second"), key: sha256("edit 2") });
    expect(grown.digests).toEqual([digest, sha256("second")]);
    expect(extendMarker(grown, { digest, key: sha256("edit") }).digests).toEqual([sha256("second"), digest]);
  });
  test.each([
    ["none", "a body"],
    ["two markers", `${renderMarker(marker)}\n${renderMarker(marker)}`],
    ["no base64", "<!-- trueup:abc -->"],
    ["no JSON", `<!-- trueup:${btoa("{")} -->`],
    ["another shape", `<!-- trueup:${btoa('{"version":1}')} -->`],
    ["another version", `<!-- trueup:${btoa(JSON.stringify({ ...marker, version: 2 }))} -->`],
    ["one more key", `<!-- trueup:${btoa(JSON.stringify({ ...marker, x: 1 }))} -->`],
    ["escaped by a report", renderMarker(marker).replace("<", "&lt;")],
  ])("%s is no marker", (_name, body) => {
    expect(parseMarker(body)).toBeNull();
  });
});
