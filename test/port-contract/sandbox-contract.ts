import { execFileSync } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeFrames, decodeFrames } from "../../src/core/framed-stream.ts";
import type { Sandbox } from "../../src/ports/sandbox.ts";
import { createNulStrippingSandbox, createTruncatingSandbox } from "../fakes/sandbox-wrapped.ts";
import { attacksOn } from "./register-attack.ts";
import type { SandboxDriver } from "./sandbox-drivers.ts";
import { openSandboxStage, roomy, type SandboxStage } from "./sandbox-stage.ts";

/** All 256 byte values, in runs of different lengths, so that no text transport keeps them. */
const everyByte = Buffer.concat(Array.from({ length: 512 }, (_, n) => Buffer.alloc(1 + (n % 37), n % 256)));
const key = Buffer.from("0123456789abcdef0123456789abcdef");

/** What every driver must do with runs, limits and streams. */
export function describeSandboxContract(driver: SandboxDriver): void {
  describe(`sandbox: ${driver.name}`, () => {
    const attack = attacksOn(driver);
    let stage: SandboxStage;
    /** Which limits this machine can set at all; the probe says so and a missing one is its own test. */
    let missing: ReadonlySet<string>;
    beforeAll(async () => {
      stage = await openSandboxStage(driver.create);
      const { report } = await stage.sandbox.probe();
      missing = new Set(report.features.filter((each) => each.state === "missing").map((each) => each.name));
    });
    afterAll(() => stage.close());

    test("the probe attacks the sandbox and nothing gets through", async () => {
      const { report, usable, lines } = await stage.sandbox.probe();
      const failed = report.features.filter((each) => each.state === "failed");
      expect({ usable, failed }).toEqual({ usable: true, failed: [] });
      expect(report.features.filter((each) => each.state === "held").length).toBeGreaterThan(12);
      expect(lines.filter((each) => each.state === "missing")).toEqual([]);
      expect(await stage.sandbox.probe()).toBe(await stage.sandbox.probe());
    });

    test.each([0, 1, 7, 96, 97, 137, 255])(
      "exit code %d comes back from the process and from the sandbox",
      async (code) => {
        const result = await stage.sh(`exit ${code}`);
        expect([result.exit, result.status_code]).toEqual([{ code, error: null, signal: null }, code]);
      },
    );

    test("a program killed by a signal has that code and no other", async () => {
      expect((await stage.sh("kill -9 $$")).exit).toEqual({ code: 137, error: null, signal: null });
    });

    test("a program that does not exist, one that may not be executed: said as such", async () => {
      const room = await stage.open({ base: await stage.tree({ "script.sh": "exit 0" }) });
      expect((await stage.run(["trueup-no-such-program"])).exit).toEqual({
        code: null,
        error: "not-found",
        signal: null,
      });
      expect((await stage.run(["/repo/script.sh"], { room })).exit).toEqual({
        code: null,
        error: "not-executable",
        signal: null,
      });
    });

    test("arguments and environment arrive as they are, without any shell", async () => {
      const words = ["", " ", "a b", "$HOME", "`id`", "*", "--", "-x", "é\n'\"\\"];
      const script = 'print join("\\0", @ARGV, $ENV{VALUE}, sort keys %ENV)';
      const { out } = await stage.run(["perl", "-e", script, "--", ...words], {
        env: { PATH: "/usr/bin", VALUE: "x=y\nz" },
      });
      expect(out.split("\0").filter((each) => each !== "PWD")).toEqual([...words, "x=y\nz", "PATH", "VALUE"]);
    });

    test("[H12] every byte value comes back on its own stream, byte for byte", async () => {
      const base = await stage.tree({});
      await writeFile(join(base, "bytes"), everyByte);
      const room = await stage.open({ base });
      const result = await stage.sh("cat bytes; printf 'err\\000or' >&2", { room });
      expect(Buffer.from(result.stdout).equals(everyByte)).toBe(true);
      expect(Buffer.from(result.stderr).toString("latin1")).toBe("err\0or");
    });

    test("live output is the same bytes as the result's", async () => {
      const shown = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
      const onOutput = (stream: "stdout" | "stderr", chunk: Uint8Array): void =>
        void shown[stream].push(Buffer.from(chunk));
      const result = await stage.sh("echo one; echo two >&2; echo three", { onOutput });
      expect(Buffer.concat(shown.stdout).equals(result.stdout)).toBe(true);
      expect(Buffer.concat(shown.stderr).equals(result.stderr)).toBe(true);
    });

    attack(
      "transport",
      "[H10] framed bytes survive this driver; one that strips NUL and one that truncates end in an error",
      async () => {
        const chunks = [everyByte, Buffer.from("1\t2\tname\0"), Buffer.alloc(0)].map((each) => new Uint8Array(each));
        const framed = encodeFrames(chunks);
        const base = await stage.tree({});
        await writeFile(join(base, "framed"), framed);
        const decodeThrough = async (sandbox: Sandbox): Promise<ReturnType<typeof decodeFrames>> => {
          const room = await sandbox.openRoom({ base, deltas: [], mountPoints: [], bytes: 1_048_576 });
          const request = {
            phase: "test",
            argv: ["cat", "framed"],
            cwd: "/repo",
            env: { PATH: "/usr/bin" },
            mounts: [],
          } as const;
          const { stdout } = await sandbox.run({ ...request, room, limits: roomy, proc: "real" });
          await room.close();
          return decodeFrames(stdout);
        };
        expect(await decodeThrough(stage.sandbox)).toEqual({ ok: true, chunks });
        expect(await decodeThrough(createNulStrippingSandbox(stage.sandbox))).toMatchObject({ ok: false });
        for (const limit of [0, 10, everyByte.length, framed.length - 1]) {
          expect(await decodeThrough(createTruncatingSandbox(stage.sandbox, limit))).toMatchObject({ ok: false });
        }
      },
    );

    test("[H11] git's NUL-terminated counts of a two-file change arrive with both paths and all six lines", async () => {
      const base = await stage.tree({ "first file.txt": "1\n2\n3\n", "sub/second.txt": "" });
      const git = (...argv: string[]): Buffer =>
        execFileSync("git", ["-C", base, "-c", "user.name=t", "-c", "user.email=t@t", ...argv], {
          env: { ...process.env, HOME: base },
        });
      git("init", "-q");
      git("add", "-A");
      git("commit", "-qm", "base");
      await writeFile(join(base, "first file.txt"), "1\n2\n3\n4\n5\n");
      await writeFile(join(base, "sub/second.txt"), "1\n2\n3\n4\n");
      const argv = ["diff", "--numstat", "-z", "HEAD"];
      const room = await stage.open({ base });
      const { stdout } = await stage.run(["git", ...argv], { room });
      expect(Buffer.from(stdout).equals(git(...argv))).toBe(true);
      const records = Buffer.from(stdout)
        .toString("utf8")
        .split("\0")
        .slice(0, -1)
        .map((record) => record.split("\t"));
      expect(records.map(([added, , path]) => [Number(added), path])).toEqual([
        [2, "first file.txt"],
        [4, "sub/second.txt"],
      ]);
    });

    test("the channel hands out its key first and carries everything that is written, to the end", async () => {
      const script = `open(my $c, "+<&=", $ENV{TRUEUP_CHANNEL}) or die "no channel: $!"; sysread($c, my $k, 32); syswrite($c, $k);
        if (!fork()) { select(undef, undef, undef, 0.2); syswrite($c, "late"); exit } wait; syswrite($c, "\\0end");`;
      const result = await stage.perl(script, { channel: { key, max_bytes: 1000 } });
      expect(Buffer.from(result.channel).toString("latin1")).toBe(`${key.toString("latin1")}late\0end`);
      expect([result.exit.code, result.channel_truncated]).toEqual([0, false]);
    });

    test("a run without a channel has no descriptor for one", async () => {
      const result = await stage.sh('echo "${TRUEUP_CHANNEL-none}"; ls /proc/self/fd');
      expect(result.out).toBe("none\n0\n1\n2\n3\n");
      expect(result.channel.length).toBe(0);
    });

    test("a flood through the channel is cut, said so, and ends the run", async () => {
      const script = `open(my $c, "+<&=", 4); my $x = "x" x 65536; while (1) { syswrite($c, $x) // exit }`;
      const result = await stage.perl(script, { channel: { key, max_bytes: 100_000 } });
      expect([result.channel.length, result.channel_truncated, result.exit.error]).toEqual([100_000, true, "output"]);
    });

    attack("output", "a flood of output is cut at the limit and ends the run", async () => {
      const result = await stage.sh("yes & yes >&2", { limits: { ...roomy, output_bytes: 50_000 } });
      expect([result.exit.code, result.exit.error]).toEqual([null, "output"]);
      expect(result.stdout.length + result.stderr.length).toBe(50_000);
    });

    attack(
      "time",
      "time ends a run that ignores every signal; its code is null, whatever it would have said",
      async () => {
        const result = await stage.sh("trap 'exit 0' TERM INT HUP; echo begun; while :; do sleep 1; done", {
          limits: { ...roomy, wall_ms: 700 },
        });
        expect([result.exit.code, result.exit.error, result.out]).toEqual([null, "timeout", "begun\n"]);
      },
    );

    test("silence ends a run, output keeps it alive", async () => {
      const quiet = await stage.sh("echo once; sleep 1000", { limits: { ...roomy, idle_ms: 700 } });
      expect([quiet.exit.code, quiet.exit.error]).toEqual([null, "idle"]);
      const busy = await stage.sh("for i in 1 2 3 4 5 6 7 8; do sleep 0.3; echo $i; done", {
        limits: { ...roomy, idle_ms: 2000 },
      });
      expect([busy.exit.code, busy.exit.error]).toEqual([0, null]);
    });

    test("the caller's wish ends a run, also one that was there before it began", async () => {
      const abort = new AbortController();
      const onOutput = (): void => abort.abort();
      const result = await stage.sh("echo begun; sleep 1000", { signal: abort.signal, onOutput });
      expect(result.exit).toMatchObject({ code: null, error: "cancelled" });
      expect((await stage.sh("sleep 1000", { signal: AbortSignal.abort() })).exit).toMatchObject({
        code: null,
        error: "cancelled",
      });
    });

    attack(
      "memory",
      "a kill for memory is that, never a failure or a pass, also when the program hides it",
      async (context) => {
        if (missing.has("memory-limit")) return context.skip("this machine cannot limit memory");
        const limits = { ...roomy, memory_bytes: 67_108_864 };
        const eat = "perl -e 'my $x = \"a\" x 300_000_000; print length $x'";
        expect((await stage.sh(`exec ${eat}`, { limits })).exit).toMatchObject({ code: null, error: "memory" });
        const hidden = await stage.sh(`${eat} || true; exit 0`, { limits });
        expect(hidden.exit).toMatchObject({ code: null, error: "memory" });
        expect(hidden.peak_memory_bytes).toBeGreaterThan(60_000_000);
        return undefined;
      },
    );

    attack("pids", "a fork bomb stays within its limit of processes", async (context) => {
      if (missing.has("pids-limit")) return context.skip("this machine cannot limit processes");
      const script = `my $n = 0; for (1..200) { my $p = fork(); last unless defined $p; if (!$p) { sleep 60; exit } $n++ } print $n < 40 ? "bounded" : "unbounded $n"; kill 9, -getpgrp();`;
      const { out } = await stage.perl(`$| = 1; ${script}`, { limits: { ...roomy, pids: 30 } });
      expect(out).toBe("bounded");
      return undefined;
    });

    test("file systems in memory have a size", async () => {
      const mounts = [{ kind: "tmpfs", target: "/scratch", bytes: 1_048_576 }] as const;
      const script =
        "for d in /scratch /dev/shm /home/u; do head -c 80000000 /dev/zero >$d/big 2>/dev/null && echo $d; done; touch /dev/new && echo dev";
      expect((await stage.sh(script, { mounts })).out).toBe("");
    });

    test("mounts are applied in order, writable ones reach the host, read-only ones do not", async () => {
      const [store, out] = [await stage.tree({ "pkg/index.js": "x" }), await stage.tree({})];
      const room = await stage.open({ base: await stage.tree({ a: "a" }), mountPoints: ["node_modules"] });
      await mkdir(join(store, ".cache"));
      const mounts = [
        { kind: "read-only", source: store, target: "/repo/node_modules" },
        { kind: "tmpfs", target: "/repo/node_modules/.cache", bytes: 4096 },
        { kind: "writable", source: out, target: "/out" },
      ] as const;
      const script =
        "cat node_modules/pkg/index.js; echo c >node_modules/.cache/c; echo w >/out/w; echo no >node_modules/no";
      const result = await stage.sh(script, { room, mounts });
      expect([result.out, result.exit.code === 0]).toEqual(["x", false]);
      expect(await readFile(join(out, "w"), "utf8")).toBe("w\n");
    });

    test("a mount whose source is gone is an error of the sandbox, with its words", async () => {
      const mounts = [{ kind: "read-only", source: join(stage.directory, "gone"), target: "/gone" }] as const;
      await expect(stage.sh("true", { mounts })).rejects.toMatchObject({
        code: "sandbox-failed",
        detail: expect.stringContaining("gone"),
      });
    });

    test("node reads what it needs from a synthetic /proc: memory, processors, free memory", async () => {
      const script = `const os = require("os"); console.log(process.memoryUsage().rss > 0, os.cpus().length === os.availableParallelism(), os.freemem() > 0, os.loadavg().length, os.uptime() > 0)`;
      const mounts = [{ kind: "read-only", source: process.execPath, target: "/opt/node" }] as const;
      const result = await stage.run(["/opt/node", "-e", script], { mounts, proc: "synthetic" });
      expect([result.out, result.err]).toEqual(["true true true 3 true\n", ""]);
    });

    test("many runs at once do not disturb one another", async () => {
      const room = await stage.open({ base: await stage.tree({}) });
      const codes = Array.from({ length: 8 }, (_, n) => n);
      const results = await Promise.all(
        codes.map((n) => stage.sh(`echo ${n} >file-${n}; cat file-${n}; exit ${n}`, { room })),
      );
      expect(results.map((each) => [each.exit.code, each.out])).toEqual(codes.map((n) => [n, `${n}\n`]));
    });

    test("a script of the tree runs when it is executable", async () => {
      const base = await stage.tree({ "run.sh": "#!/bin/sh\necho ran $1\n" });
      await chmod(join(base, "run.sh"), 0o755);
      const room = await stage.open({ base });
      expect((await stage.run(["./run.sh", "it"], { room })).out).toBe("ran it\n");
    });
  });
}
