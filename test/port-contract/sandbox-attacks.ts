import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { copyFile, chmod, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attacksOn } from "./register-attack.ts";
import type { SandboxDriver } from "./sandbox-drivers.ts";
import { findProcesses, openSandboxStage, type SandboxStage } from "./sandbox-stage.ts";

/** Answers `NAME=errno` for one raw call each, 0 where the call worked. */
const rawCalls = (calls: Readonly<Record<string, readonly (number | string)[]>>): string =>
  Object.entries(calls)
    .map(([name, argv]) => {
      // perl passes a string by its address, and only one that it may write.
      const words = argv.map((word, n) => (String(word).startsWith('"') ? `(my $${name}${n} = ${word})` : word));
      return `$! = 0; my $r${name} = syscall(${words.join(", ")}); print "${name}=", $r${name} == -1 ? $!+0 : 0, "\\n";`;
    })
    .join("\n");

const isArm = process.arch === "arm64";
/** Numbers written out here once more, apart from the product's table. */
const numbers = {
  mount: isArm ? 40 : 165,
  umount2: isArm ? 39 : 166,
  ptrace: isArm ? 117 : 101,
  unshare: isArm ? 97 : 272,
  setns: isArm ? 268 : 308,
  clone: isArm ? 220 : 56,
  ioctl: isArm ? 29 : 16,
  process_vm_readv: isArm ? 270 : 310,
  bpf: isArm ? 280 : 321,
  keyctl: isArm ? 219 : 250,
  userfaultfd: isArm ? 282 : 323,
  perf_event_open: isArm ? 241 : 298,
  open_by_handle_at: isArm ? 265 : 304,
};

async function listen(
  where: { readonly port: number; readonly host?: string } | { readonly path: string },
): Promise<{ server: Server; seen: () => number }> {
  let seen = 0;
  const server = createServer((socket) => {
    seen += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(where, resolve));
  return { server, seen: () => seen };
}

/** What no program in any sandbox may reach: each test is one attack. */
export function describeSandboxAttacks(driver: SandboxDriver): void {
  describe(`sandbox attacks: ${driver.name}`, () => {
    const attack = attacksOn(driver);
    let stage: SandboxStage;
    beforeAll(async () => {
      stage = await openSandboxStage(driver.create);
    });
    afterAll(() => stage.close());

    attack(
      "remount",
      "a remount of the system for writing, by the program and by the raw call, is refused",
      async () => {
        const script = `mount -o remount,rw,bind /usr && echo REMOUNTED; mount -o remount,rw / && echo REMOUNTED; touch /usr/trueup-attack && echo WRITTEN`;
        expect((await stage.sh(script)).out).toBe("");
        const remount = [numbers.mount, '"none"', '"/usr"', '"none"', "0x1020", "0"];
        expect((await stage.perl(rawCalls({ mount: remount, umount: [numbers.umount2, '"/usr"', "2"] }))).out).toBe(
          "mount=1\numount=1\n",
        );
      },
    );

    attack("write-system", "writing to the system, the root or its devices is refused", async () => {
      for (const path of [
        "/usr/trueup-attack",
        "/trueup-attack",
        "/etc/hosts",
        "/bin/sh",
        "/dev/trueup-attack",
        "/opt/trueup-attack",
      ]) {
        const { out, exit } = await stage.sh(`echo attack >>${path} && echo WRITTEN`);
        expect([path, out, exit.code === 0]).toEqual([path, "", false]);
      }
    });

    attack(
      "kernel-settings",
      "the kernel's settings cannot be written, although uid 1000 inside may be root outside",
      async () => {
        const files =
          "/proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sys/vm/drop_caches /proc/sysrq-trigger";
        const { out } = await stage.sh(`for f in ${files}; do (exec 3>>$f) 2>/dev/null && echo "OPENED $f"; done`);
        expect(out).toBe("");
      },
    );

    attack(
      "host-devices",
      "the host's device nodes and files of /proc cannot be changed, although they may belong to uid 1000 inside",
      async () => {
        const nodes = ["null", "zero", "full"].map((name) => `/dev/${name}`);
        const changed = (): Promise<bigint[]> =>
          Promise.all(nodes.map(async (node) => (await stat(node, { bigint: true })).ctimeNs));
        const before = await changed();
        // The modes are the ones they have, so that an attack that works harms nobody.
        const attack = `chmod 666 ${nodes.join(" ")} /proc/self/fd/0; perl -e 'chmod 0666, *STDIN'; chmod 444 /proc/cpuinfo && echo CHANGED`;
        const room = await stage.open({ base: await stage.tree({}) });
        for (const more of [{}, { room }]) expect((await stage.sh(attack, more)).out).toBe("");
        expect(await changed()).toEqual(before);
        expect((await stage.sh("echo kept >/dev/null && head -c 4 /dev/zero | wc -c")).out).toBe("4\n");
      },
    );

    attack("socket-families", "sockets of families that know no namespace cannot be made", async () => {
      const script = `for my $family (17, 38, 40) { socket(my $s, $family, 1, 0) ? print "made $family" : print $!+0, " " }`;
      expect((await stage.perl(script)).out).toBe("97 97 97 ");
    });

    attack(
      "connect-out",
      "a connection to a listener of the host does not arrive, by address or by abstract name",
      async () => {
        const tcp = await listen({ port: 0 });
        const abstract = `trueup-${randomUUID()}`;
        const unix = await listen({ path: `\0${abstract}` });
        try {
          const address = tcp.server.address();
          const port = typeof address === "object" && address !== null ? address.port : 0;
          const script = `use Socket; socket(my $t, PF_INET, SOCK_STREAM, 0); print connect($t, sockaddr_in(${port}, inet_aton("127.0.0.1"))) ? "REACHED" : "no";
          socket(my $u, PF_UNIX, SOCK_STREAM, 0); print connect($u, sockaddr_un("\\0${abstract}")) ? "REACHED" : "no";`;
          expect((await stage.perl(script)).out).toBe("nono");
          expect([tcp.seen(), unix.seen()]).toEqual([0, 0]);
        } finally {
          tcp.server.close();
          unix.server.close();
        }
      },
    );

    attack("push", "[F4] a push to the remote, by path and by address, reaches nothing", async () => {
      const remote = join(stage.directory, "remote.git");
      const git = (...argv: string[]): string => execFileSync("git", argv, { encoding: "utf8", stdio: "pipe" });
      git("init", "-q", "--bare", remote);
      const server = await listen({ port: 0, host: "127.0.0.1" });
      try {
        const address = server.server.address();
        const port = typeof address === "object" && address !== null ? address.port : 0;
        const room = await stage.open({ base: await stage.tree({ file: "x" }) });
        const script = `git init -q . && git add -A && git -c user.name=a -c user.email=a@a commit -qm change || exit 9
          for url in ${remote} file://${remote} git://127.0.0.1:${port}/remote.git http://127.0.0.1:${port}/remote.git; do git push -q $url HEAD:refs/heads/agent && echo PUSHED; done; exit 0`;
        const { out, exit } = await stage.sh(script, { room });
        expect([out, exit.code]).toEqual(["", 0]);
        expect([git("-C", remote, "for-each-ref"), server.seen()]).toEqual(["", 0]);
      } finally {
        server.server.close();
      }
    });

    test("a name cannot be looked up, and is answered as not found", async () => {
      const script = `require("dns").lookup("host.example.test", (e) => console.log(e && e.code))`;
      const node = { kind: "read-only", source: process.execPath, target: "/opt/node" } as const;
      expect((await stage.run(["/opt/node", "-e", script], { mounts: [node] })).out).toBe("ENOTFOUND\n");
    });

    test("loopback is up inside, so that a test may serve itself", async () => {
      const script = `use Socket; socket(my $s, PF_INET, SOCK_STREAM, 0); bind($s, sockaddr_in(0, inet_aton("127.0.0.1"))) or die; listen($s, 1) or die;
        socket(my $c, PF_INET, SOCK_STREAM, 0); print connect($c, getsockname($s)) ? "up" : "down: $!";`;
      expect((await stage.perl(script)).out).toBe("up");
    });

    attack("hidden-file", "a file of the host is not there, not even through a link left in the tree", async () => {
      const hidden = join(stage.directory, "hidden");
      await writeFile(hidden, "secret of the host");
      const base = await stage.tree({ kept: "kept" });
      await symlink(hidden, join(base, "link"));
      await symlink("../../../../../../../../etc/shadow", join(base, "shadow"));
      const room = await stage.open({ base });
      const { out } = await stage.sh(`cat kept ${hidden} link shadow /root/* /home/*/.ssh/* /proc/1/root${hidden}`, {
        room,
      });
      expect(out).toBe("kept");
    });

    attack(
      "environment",
      "nothing of the caller's environment is inside, nor in that of the first process",
      async () => {
        process.env["TRUEUP_ATTACK_SECRET"] = "inherited-secret";
        try {
          const { out } = await stage.sh("env; tr '\\0' '\\n' </proc/1/environ", {
            env: { PATH: "/usr/bin:/bin", GIVEN: "1" },
          });
          const names = out
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => line.split("=")[0]);
          expect(new Set(names)).toEqual(
            new Set(["PATH", "GIVEN", "PWD", "SHLVL"].filter((each) => names.includes(each))),
          );
        } finally {
          delete process.env["TRUEUP_ATTACK_SECRET"];
        }
      },
    );

    attack("descriptors", "only the three standard descriptors are open inside", async () => {
      // The fourth is the directory that `ls` itself reads.
      expect((await stage.sh("ls /proc/self/fd")).out).toBe("0\n1\n2\n3\n");
    });

    attack("host-processes", "processes of the host are not visible and cannot be signalled", async () => {
      const mark = randomUUID();
      const outside = spawn("sh", ["-c", "read line", mark], { stdio: ["pipe", "ignore", "ignore"] });
      try {
        const { out } = await stage.sh(
          `cat /proc/[0-9]*/cmdline; kill -0 -1 2>/dev/null; echo; ls -d /proc/[0-9]* | wc -l`,
        );
        expect(out).not.toContain(mark);
        expect(Number(out.trim().split("\n").at(-1))).toBeLessThan(10);
        expect(outside.exitCode).toBeNull();
      } finally {
        outside.stdin?.end();
      }
    });

    attack("ptrace", "reading another process, of the same user and namespace, is refused", async () => {
      const script = `my $child = fork() // die; if (!$child) { sleep 60; exit }
        ${rawCalls({ attach: [numbers.ptrace, 16, "$child", 0, 0], traceme: [numbers.ptrace, 0, 0, 0, 0], vm: [numbers.process_vm_readv, "$child", 0, 0, 0, 0, 0], getfd: [438, 3, 0, 0], kcmp: [isArm ? 272 : 312, "$child", "$child", 0, 0, 0] })}
        kill 9, $child;`;
      expect((await stage.perl(script)).out).toBe("attach=1\ntraceme=1\nvm=1\ngetfd=1\nkcmp=1\n");
    });

    attack(
      "namespaces-and-io_uring",
      "new namespaces are refused by unshare, setns and clone; clone3 and io_uring are not there",
      async () => {
        const calls = rawCalls({
          unshare: [numbers.unshare, 0x10000000],
          setns: [numbers.setns, 0, 0],
          clone: [numbers.clone, 0x10000011, 0, 0, 0, 0],
          clone3: [435, 0, 0],
          ring: [425, 1, 0],
          enter: [426, 0, 0, 0, 0, 0],
        });
        expect((await stage.perl(calls)).out).toBe("unshare=1\nsetns=1\nclone=1\nclone3=38\nring=38\nenter=38\n");
      },
    );

    attack(
      "kernel-surfaces",
      "kernel surfaces that no test needs are refused, and so is input pushed into a terminal",
      async () => {
        const calls = rawCalls({
          bpf: [numbers.bpf, 0, 0, 0],
          keyctl: [numbers.keyctl, 0, 0, 0, 0, 0],
          fault: [numbers.userfaultfd, 0],
          perf: [numbers.perf_event_open, 0, 0, 0, 0, 0],
          handle: [numbers.open_by_handle_at, 0, 0, 0],
          tree: [428, 0, '"/"', 0],
          fsopen: [430, '"tmpfs"', 0],
          push: [numbers.ioctl, 0, 0x5412, '"x"'],
        });
        const names = ["bpf", "keyctl", "fault", "perf", "handle", "tree", "fsopen", "push"];
        expect((await stage.perl(calls)).out).toBe(names.map((each) => `${each}=1\n`).join(""));
      },
    );

    attack(
      "survivor",
      "a process that left its session and ignores signals is dead before the result is there",
      async () => {
        const mark = randomUUID();
        const stubborn = `trap '' TERM HUP INT; : ${mark}; while :; do sleep 1; done`;
        const { exit } = await stage.sh(
          `setsid sh -c "${stubborn}" >/dev/null 2>&1 </dev/null & setsid setsid sh -c "${stubborn}" & exit 0`,
        );
        expect(exit).toEqual({ code: 0, error: null, signal: null });
        expect(await findProcesses(mark)).toEqual([]);
      },
    );

    attack("readable-runner", "a runner's binary of mode 0111 runs and cannot be read", async () => {
      const binary = join(stage.directory, "perl-0111");
      await copyFile("/usr/bin/perl", binary);
      await chmod(binary, 0o111);
      const mounts = [{ kind: "read-only", source: binary, target: "/opt/runner" }] as const;
      const { out } = await stage.sh("/opt/runner -e 'print 1'; cat /opt/runner", { mounts });
      expect(out).toBe("1");
    });

    attack("synthetic-proc", "with a synthetic /proc no process can be seen at all", async () => {
      const { out } = await stage.sh("ls /proc; cat /proc/self/environ /proc/1/cmdline", { proc: "synthetic" });
      expect(out.split("\n").filter((each) => /^\d/u.test(each))).toEqual([]);
    });

    attack("read-only-tree", "a tree bound for reading cannot be written, and its files on the host stay", async () => {
      const base = await stage.tree({ file: "base" });
      const room = await stage.open({ base });
      const { exit } = await stage.sh("echo attack >file; echo attack >new; rm file", {
        room,
        roomAccess: "read-only",
      });
      expect(exit.code).not.toBe(0);
      expect(await readFile(join(base, "file"), "utf8")).toBe("base");
    });

    attack(
      "mount-through-link",
      "a link that an earlier run left where a later one mounts is refused, not followed",
      async () => {
        const room = await stage.open({ base: await stage.tree({ "a/file": "x" }) });
        await stage.sh(`mv a b && ln -s /oldroot${stage.directory} a`, { room });
        const mounts = [{ kind: "tmpfs", target: "/repo/a/escape", bytes: 4096 }] as const;
        await expect(stage.sh("true", { room, mounts })).rejects.toMatchObject({ code: "mount-point-taken" });
      },
    );
  });
}
