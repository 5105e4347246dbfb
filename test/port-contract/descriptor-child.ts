/** `descriptor-child.ts DRIVER SCRATCH`: a run from a caller that has descriptor 9 open, printed as JSON. */
import { sandboxDrivers } from "./sandbox-drivers.ts";
import { roomy } from "./sandbox-stage.ts";

const [, , name, scratch = ""] = process.argv;
const driver = sandboxDrivers.find((each) => each.name === name);
if (driver === undefined) throw new Error(`no driver ${name}`);
const result = await driver.create(scratch).run({
  phase: "test",
  argv: ["sh", "-c", "cat <&9; ls /proc/self/fd"],
  cwd: "/tmp",
  env: { PATH: "/usr/bin:/bin" },
  mounts: [],
  limits: roomy,
  proc: "real",
});
process.stdout.write(JSON.stringify({ exit: result.exit, out: Buffer.from(result.stdout).toString("utf8") }));
