import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { attacksOn } from "./register-attack.ts";
import type { SandboxDriver } from "./sandbox-drivers.ts";
import { openSandboxStage, type SandboxStage } from "./sandbox-stage.ts";

const isArm = process.arch === "arm64";
/** Numbers of calls, apart from the product's table. */
const numbers = { mount: isArm ? 40 : 165, chroot: isArm ? 51 : 161, mknodat: isArm ? 33 : 259 };

/** More that no program in any sandbox may do: ways out of it by what the kernel or the caller left open. */
export function describeSandboxEscapes(driver: SandboxDriver): void {
  describe(`sandbox escapes: ${driver.name}`, () => {
    const attack = attacksOn(driver);
    let stage: SandboxStage;
    beforeAll(async () => {
      stage = await openSandboxStage(driver.create);
    });
    afterAll(() => stage.close());

    attack(
      "bind-mount",
      "a bind over the system and a mount of memory are refused, by the program and raw",
      async () => {
        const bind = `mkdir -p /tmp/a && mount --bind /tmp/a /usr/bin && echo BOUND; mount -t tmpfs none /tmp/a && echo MOUNTED`;
        expect((await stage.sh(bind)).out).toBe("");
        const script = `my ($from, $to, $none, $fs) = ("/tmp", "/home/u", "none", "tmpfs");
        print syscall(${numbers.mount}, $from, $to, $none, 4096, 0) == 0 ? "BOUND" : "no ";
        print syscall(${numbers.mount}, $none, $to, $fs, 0, 0) == 0 ? "MOUNTED" : "no";`;
        expect((await stage.perl(script)).out).toBe("no no");
      },
    );

    attack("device-nodes", "a disk, the memory and the kernel's log can neither be made nor opened", async () => {
      const script = `my ($disk, $memory) = ("/tmp/disk", "/tmp/memory");
        print syscall(${numbers.mknodat}, -100, $disk, 060666, 0x800) == 0 ? "MADE" : "no ";
        print syscall(${numbers.mknodat}, -100, $memory, 020666, 0x101) == 0 ? "MADE" : "no ";
        for (glob("/dev/{sd,vd,xvd,nvme,dm-,loop}* /dev/mem /dev/kmsg /dev/kvm /dev/fuse /tmp/disk /tmp/memory")) { print "OPENED $_ " if open(my $f, "<", $_) }
        print "end";`;
      expect((await stage.perl(script)).out).toBe("no no end");
    });

    attack("control-groups", "no control group can be joined or made, so the limits stay", async () => {
      const script = `for f in $(find /sys -name cgroup.procs 2>/dev/null | head -50); do (echo $$ >$f) 2>/dev/null && echo "JOINED $f"; mkdir "$(dirname $f)/trueup-attack" 2>/dev/null && echo MADE; done; echo end`;
      expect((await stage.sh(script)).out).toBe("end\n");
    });

    attack("outside-address", "no address outside is reached, by TCP, by UDP or over IPv6", async () => {
      // Addresses that belong to nobody (RFC 5737, RFC 3849), the one that clouds answer on, and the usual bridges' hosts.
      const script = `use Socket qw(:all); $SIG{ALRM} = sub { print "WAITED "; exit }; alarm 10;
        for my $host ("192.0.2.1", "169.254.169.254", "10.0.2.2", "172.17.0.1", "10.88.0.1") {
          for my $type (SOCK_STREAM, SOCK_DGRAM) { socket(my $s, PF_INET, $type, 0) or next; print connect($s, sockaddr_in(53, inet_aton($host))) ? "REACHED $host " : "" } }
        if (socket(my $s, PF_INET6, SOCK_DGRAM, 0)) { print "REACHED6" if connect($s, pack_sockaddr_in6(53, inet_pton(AF_INET6, "2001:db8::1"))) }
        print "end";`;
      expect((await stage.perl(script)).out).toBe("end");
    });

    attack("inherited-descriptors", "a descriptor that the caller had open is closed inside", async () => {
      const secret = join(stage.directory, "open-file");
      await writeFile(secret, "secret of the caller");
      const handle = openSync(secret, "r");
      const stdio = ["ignore", "pipe", "pipe", ...Array.from({ length: 6 }, () => "ignore" as const), handle] as const;
      const program = join(import.meta.dirname, "descriptor-child.ts");
      const argv = [program, driver.name, join(stage.directory, "inherited")];
      const { stdout, stderr } = spawnSync(process.execPath, argv, { stdio: [...stdio], encoding: "utf8" });
      closeSync(handle);
      expect(stderr).toBe("");
      // The fourth is the directory that `ls` itself reads.
      expect(JSON.parse(stdout)).toMatchObject({ out: "0\n1\n2\n3\n" });
    });

    attack("pidfd", "a pidfd names no process of the host and gives out no descriptor", async () => {
      const script = `my $sleeper = fork() // die; if (!$sleeper) { sleep 60; exit }
        my $fd = syscall(434, $sleeper, 0); print "own ", $fd >= 0 ? syscall(438, $fd, 0, 0) : -1, "\\n"; kill 9, $sleeper;
        for my $pid (${process.pid}, ${process.ppid}) { my $p = syscall(434, $pid, 0); next if $p < 0; open(my $c, "<", "/proc/$pid/cmdline"); print "SEEN ", <$c> // "" }`;
      const { out } = await stage.perl(script);
      expect(out.split("\n")[0]).toBe("own -1");
      expect(out).not.toContain("vitest");
    });

    attack("privileges", "nothing makes the program root: no call, no set-user-id program, no capability", async () => {
      const script = `$< = 0; $> = 0; print "ROOT " if $> == 0; my $top = "/"; print "CHROOT " if syscall(${numbers.chroot}, $top) == 0;
        open(my $s, "<", "/proc/self/status"); while (<$s>) { print if /^(?:Cap(?:Prm|Eff|Bnd|Amb)|NoNewPrivs)/ }`;
      const lines = (await stage.perl(script)).out.trim().split("\n");
      expect(lines.map((line) => line.replace(/\s+/gu, " "))).toEqual([
        ...["CapPrm", "CapEff", "CapBnd", "CapAmb"].map((name) => `${name}: 0000000000000000`),
        "NoNewPrivs: 1",
      ]);
    });
  });
}
