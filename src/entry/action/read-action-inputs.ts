import { TrueupError } from "../../errors.ts";
import type { CiOptions } from "../cli/run-ci.ts";
import type { Terminal } from "../cli/terminal.ts";

/** What the Action was given, in the words of the command line. */
export interface ActionInputs {
  readonly options: CiOptions;
  /** Without inputs, and with the token under the name that the command line knows. */
  readonly environment: Terminal["env"];
  /** Where the checkout is. */
  readonly directory: string;
}

/** Reads the inputs as the runner passes them: `INPUT_` and the name in capitals. Throws `usage`. */
export function readActionInputs(env: Terminal["env"]): ActionInputs {
  const input = (name: string): string => (env[`INPUT_${name.toUpperCase()}`] ?? "").trim();
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("INPUT_")));
  const token = input("token");
  const report = input("report").split(/\s*\n\s*/u);
  return {
    options: {
      requireContract: readSwitch("require-contract", input("require-contract")),
      strict: readSwitch("strict", input("strict")),
      report: report.filter((line) => line !== ""),
    },
    environment: token === "" ? rest : { ...rest, GITHUB_TOKEN: token },
    directory: env["GITHUB_WORKSPACE"] ?? "/",
  };
}

/** A value that is neither is refused: a mistyped switch must not switch off. */
function readSwitch(name: string, value: string): boolean {
  if (value === "" || value === "false") return false;
  if (value === "true") return true;
  throw new TrueupError("usage", { subject: name, detail: "true or false is wanted" });
}
