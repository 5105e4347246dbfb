import { describe, expect, test } from "vitest";
import type { Dependencies, InstalledDependencies, InstallRequest, TreeReader } from "../../src/ports/index.ts";

/** What a driver of the port brings: itself, and a repository that it can install without leaving this machine. */
export interface DependenciesSubject {
  readonly dependencies: Dependencies;
  readonly toolchain: InstallRequest["toolchain"];
  /** Holds one package named `only` of version 1.0.0 with a bin `only`. */
  readonly installable: TreeReader;
  readonly treeOf: (files: Readonly<Record<string, unknown>>) => TreeReader;
}

/** What every driver of the Dependencies port must do. */
export function dependenciesContract(name: string, subject: () => DependenciesSubject): void {
  const install = (reader: TreeReader, roots: readonly string[] = [""]) => {
    const { dependencies, toolchain } = subject();
    return dependencies.install({ reader, toolchain, roots });
  };

  describe(`Dependencies port: ${name}`, () => {
    test("a root without a manifest installs nothing and says nothing", async () => {
      const installed = await install(subject().treeOf({}), ["", "packages/a"]);
      expect([installed.facts, installed.mounts, installed.mountPoints]).toEqual([[], [], []]);
      expect(await installed.resolveBin("", "only")).toBeNull();
      await installed.release();
    });

    test("[F2] dependencies without a lockfile are refused", async () => {
      const tree = subject().treeOf({ "package.json": { dependencies: { only: "1.0.0" } } });
      await expect(install(tree)).rejects.toMatchObject({ code: "lockfile-missing" });
    });

    mountRules(() => install(subject().installable));

    test("look-ups resolve upwards, and what is not there is null, also for names that are paths", async () => {
      const installed = await install(subject().installable);
      expect(await installed.packageVersion("", "only")).toBe("1.0.0");
      expect(await installed.packageVersion("deep/below", "only")).toBe("1.0.0");
      expect(await installed.resolveBin("deep/below", "only")).toMatch(/^\/repo\/node_modules\/only\//u);
      for (const odd of ["absent", "", ".", "..", "../only", "/etc", "only/bin", "a\0b"]) {
        const found = {
          odd,
          version: await installed.packageVersion("", odd),
          bin: await installed.resolveBin("", odd),
        };
        expect(found).toEqual({ odd, version: null, bin: null });
      }
      await installed.release();
      await installed.release();
    });

    test("the same lockfile gives the same key and facts", async () => {
      const [first, second] = [await install(subject().installable), await install(subject().installable)];
      expect(second.facts).toEqual(first.facts);
      expect(first.facts[0]?.key).toMatch(/^sha256:[0-9a-f]{64}$/u);
      await Promise.all([first.release(), second.release()]);
    });
  });
}

function mountRules(install: () => Promise<InstalledDependencies>): void {
  test("every read-only mount of the repository has its mount point, and caches lie inside it after it", async () => {
    const installed = await install();
    const inside = installed.mounts.filter((mount) => mount.target.startsWith("/repo/"));
    const stores = inside.filter((mount) => mount.kind === "read-only").map((mount) => mount.target);
    expect(stores).toEqual(installed.mountPoints.map((point) => `/repo/${point}`));
    for (const [index, mount] of inside.entries()) {
      expect(mount.kind).not.toBe("writable");
      if (mount.kind !== "tmpfs") continue;
      const store = inside.findIndex((each) => each.kind === "read-only" && mount.target.startsWith(`${each.target}/`));
      expect(store).toBeGreaterThanOrEqual(0);
      expect(store).toBeLessThan(index);
      expect(mount.bytes).toBeGreaterThan(0);
    }
    await installed.release();
  });
}
