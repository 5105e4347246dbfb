import { chmod, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/ports/sandbox.ts";
import { openSandboxStage, type SandboxStage } from "./sandbox-stage.ts";

/** What every driver must do with work trees made from layers. */
export function describeSandboxRooms(name: string, create: (scratch: string) => Sandbox): void {
  describe(`sandbox rooms: ${name}`, () => {
    let stage: SandboxStage;
    beforeAll(async () => {
      stage = await openSandboxStage(create);
    });
    afterAll(() => stage.close());

    const list = async (root: string): Promise<string[]> => (await readdir(root, { recursive: true })).toSorted();
    const withDeletions = async (delta: string, paths: readonly string[]): Promise<string> => {
      await writeFile(`${delta}.deletions`, paths.map((each) => `${each}\0`).join(""));
      return delta;
    };

    test("what a run writes is seen from the host, and the layers stay as they were", async () => {
      const base = await stage.tree({ "a/one": "1", two: "2" });
      const room = await stage.open({ base });
      const script = "echo new >new; echo changed >two; rm -r a; mkdir -p a b; echo x >a/x; chmod 755 two";
      expect((await stage.sh(script, { room })).exit.code).toBe(0);
      expect(await list(room.hostPath)).toEqual(["a", "a/x", "b", "new", "two"]);
      expect(await readFile(join(room.hostPath, "two"), "utf8")).toBe("changed\n");
      expect((await lstat(join(room.hostPath, "two"))).mode & 0o777).toBe(0o755);
      expect(await list(base)).toEqual(["a", "a/one", "two"]);
      expect(await readFile(join(base, "two"), "utf8")).toBe("2");
    });

    test("deltas lie over the base in order, and what they delete is gone with its empty directories", async () => {
      const base = await stage.tree({ "keep/a": "base", "gone/deep/b": "base", "keep/c": "base", again: "base" });
      const first = await withDeletions(await stage.tree({ "keep/a": "first", "new/d": "first" }), [
        "gone/deep/b",
        "again",
        "keep/c",
      ]);
      const second = await stage.tree({ "keep/a": "second", again: "second" });
      const room = await stage.open({ base, deltas: [first, second] });
      const { out } = await stage.sh(
        "find . -type f | sort | while read f; do echo $f $(cat $f); done; find . -type d | sort",
        { room },
      );
      expect(out).toBe("./again second\n./keep/a second\n./new/d first\n.\n./keep\n./new\n");
    });

    test("a later delta deletes what an earlier one added", async () => {
      const first = await stage.tree({ "x/y": "first" });
      const second = await withDeletions(await stage.tree({}), ["x/y"]);
      const room = await stage.open({ base: await stage.tree({ z: "base" }), deltas: [first, second] });
      expect(await list(room.hostPath)).toEqual(["z"]);
    });

    test("a directory becomes a file, and a file a directory", async () => {
      const base = await stage.tree({ "d/inside": "base", f: "base" });
      const delta = await withDeletions(await stage.tree({ d: "file now", "f/inside": "directory now" }), [
        "d/inside",
        "f",
      ]);
      const room = await stage.open({ base, deltas: [delta] });
      expect((await stage.sh("cat d f/inside", { room })).out).toBe("file nowdirectory now");
    });

    test("a deletion is not carried out through a link, inside the tree or out of it", async () => {
      const outside = await stage.tree({ victim: "outside" });
      const base = await stage.tree({ "real/victim": "inside", "d/victim": "base" });
      await symlink(outside, join(base, "out"));
      const delta = await stage.tree({});
      await symlink("real", join(delta, "d"));
      await withDeletions(delta, ["d/victim", "out/victim"]);
      const room = await stage.open({ base, deltas: [delta] });
      expect(await readFile(join(outside, "victim"), "utf8")).toBe("outside");
      expect((await stage.sh("cat real/victim", { room })).out).toBe("inside");
    });

    test.each(["../victim", "/victim", "a/../../victim", "a//b", "./a"])(
      "a deletion of %s is an error",
      async (path) => {
        const delta = await withDeletions(await stage.tree({}), [path]);
        const opened = stage.open({ base: await stage.tree({ a: "a" }), deltas: [delta] });
        await expect(opened).rejects.toMatchObject({ code: "transport-broken" });
      },
    );

    test("layers with colons, commas, backslashes, quotes, spaces and line ends in their paths", async () => {
      const base = join(stage.directory, 'a:b,c\\d "e" \nf', "base");
      await mkdir(base, { recursive: true });
      await writeFile(join(base, "file"), "odd");
      const room = await stage.open({ base });
      expect((await stage.sh("cat file", { room })).out).toBe("odd");
    });

    test("names that are not UTF-8 are kept, changed and deleted as bytes", async () => {
      const base = await stage.tree({});
      const bytes = (...names: number[]): Buffer => Buffer.concat([Buffer.from(`${base}/`), Buffer.from(names)]);
      await writeFile(bytes(0xff, 0x61), "kept");
      await writeFile(bytes(0xfe, 0x62), "deleted");
      const delta = await stage.tree({});
      await writeFile(`${delta}.deletions`, Buffer.from([0xfe, 0x62, 0]));
      const room = await stage.open({ base, deltas: [delta] });
      expect((await stage.run(["perl", "-e", "print map { sprintf '%vd ', $_ } glob '*'"], { room })).out).toBe(
        "255.97 ",
      );
    });

    test("mount points are made; one that is a file or a link in the tree is refused", async () => {
      const base = await stage.tree({ file: "x", "sub/keep": "x" });
      await symlink("sub", join(base, "link"));
      const room = await stage.open({ base, mountPoints: ["node_modules", "sub/node_modules"] });
      for (const made of ["node_modules", "sub/node_modules"]) {
        expect((await lstat(join(room.hostPath, made))).isDirectory()).toBe(true);
      }
      for (const taken of ["file", "link", "link/node_modules", "file/node_modules"]) {
        await expect(stage.open({ base, mountPoints: [taken] })).rejects.toMatchObject({ code: "mount-point-taken" });
      }
    });

    test("two rooms over one base do not see each other", async () => {
      const base = await stage.tree({ shared: "base" });
      const [one, two] = [await stage.open({ base }), await stage.open({ base })];
      await stage.sh("echo one >shared; echo one >only-one", { room: one });
      expect((await stage.sh("cat shared; ls", { room: two })).out).toBe("baseshared\n");
    });

    test("a tree of many deltas opens", async () => {
      const deltas = await Promise.all(
        Array.from({ length: 12 }, (_, n) => stage.tree({ [`d${n}`]: `${n}`, top: `${n}` })),
      );
      const room = await stage.open({ base: await stage.tree({ base: "x" }), deltas });
      expect((await stage.sh("cat top; ls | wc -l", { room })).out).toBe("1114\n");
    });

    test("a base without write permission can still be changed above it", async () => {
      const base = await stage.tree({ "d/file": "x" });
      await chmod(join(base, "d/file"), 0o444);
      const room = await stage.open({ base });
      expect((await stage.sh("rm -f d/file && echo y >d/file && cat d/file", { room })).out).toBe("y\n");
    });

    test("a closed room is gone from the host", async () => {
      const room = await stage.open({ base: await stage.tree({ a: "a" }) });
      const { hostPath } = room;
      await room.close();
      await expect(lstat(join(hostPath, "a"))).rejects.toThrow();
      await room.close();
    });

    test("a base that does not exist is an error with its cause, and nothing is left", async () => {
      const opened = stage.open({ base: join(stage.directory, "no-such-base") });
      await expect(opened).rejects.toMatchObject({ code: "sandbox-failed" });
    });

    test("what is not a room of this sandbox is refused", async () => {
      const stranger = { hostPath: "/", kind: "none", close: () => Promise.resolve() } as const;
      await expect(stage.sh("true", { room: stranger })).rejects.toThrow(TypeError);
    });

    test("files removed by the host are gone inside", async () => {
      const room = await stage.open({ base: await stage.tree({ a: "a", b: "b" }) });
      await rm(join(room.hostPath, "a"));
      expect((await stage.sh("ls", { room })).out).toBe("b\n");
    });
  });
}
