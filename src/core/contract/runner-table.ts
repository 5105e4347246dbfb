/** The test runners a contract may name. */
export type RunnerName = "vitest" | "jest" | "mocha" | "node-test" | "pytest" | "go-test" | "cargo-test";

/**
 * A flag a contract may give. `value`: takes one (`--f v` or `--f=v`); `choice`: one of `choices`; `bare`: takes none.
 * `dropped` flags mean what our own flags or environment already mean, so they are left out of `args`.
 */
export interface FlagRow {
  readonly names: readonly string[];
  readonly takes: "bare" | "value" | "choice";
  readonly choices?: readonly string[];
  readonly dropped?: true;
}

/** How a runner is called and which flags a contract may give it; every other flag is refused. */
export interface RunnerRow {
  readonly name: RunnerName;
  /** Word sequences that start it. */
  readonly calls: readonly (readonly string[])[];
  /** The runner's subcommands; the first positional word is one of them only when it is spelled so. */
  readonly subcommands: { readonly allowed: readonly string[]; readonly refused: readonly string[] };
  /** Spellings of one flag that its parser takes as the same: `--test-timeout` is `--testTimeout` where it is `camel`. */
  readonly spelling: "camel" | "exact";
  readonly flags: readonly FlagRow[];
}

const bare = (...names: string[]): FlagRow => ({ names, takes: "bare" });
const value = (...names: string[]): FlagRow => ({ names, takes: "value" });
const choice = (names: string[], choices: string[]): FlagRow => ({ names, takes: "choice", choices });
const dropped = (...names: string[]): FlagRow => ({ names, takes: "bare", dropped: true });
const noSubcommands = { allowed: [], refused: [] } as const;

/** The data of the command policy for runners, one row a runner. */
export const runnerTable: readonly RunnerRow[] = [
  {
    name: "vitest",
    calls: [["vitest"]],
    subcommands: {
      allowed: ["run"],
      refused: ["watch", "dev", "bench", "init", "doctor", "list", "related", "complete", "typecheck"],
    },
    spelling: "camel",
    flags: [
      value("-t", "--testNamePattern"),
      value("--project"),
      value("--exclude"),
      value("--mode"),
      value("--testTimeout"),
      value("--hookTimeout"),
      value("--teardownTimeout"),
      value("--slowTestThreshold"),
      value("--maxConcurrency"),
      value("--maxWorkers"),
      value("--minWorkers"),
      choice(["--environment"], ["node", "jsdom", "happy-dom", "edge-runtime"]),
      choice(["--fileParallelism"], ["true", "false"]),
      bare("--globals"),
      bare("--dom"),
      bare("--noFileParallelism"),
      dropped("--run", "--silent", "--hideSkippedTests", "--logHeapUsage", "--color", "--noColor"),
      dropped("--noCoverage", "--coverage=false", "--coverage.enabled=false"),
      dropped("--noWatch", "--watch=false", "--noUpdate", "--update=false", "--retry=0", "--bail=0"),
    ],
  },
  {
    name: "jest",
    calls: [["jest"]],
    subcommands: noSubcommands,
    spelling: "camel",
    flags: [
      value("-t", "--testNamePattern"),
      value("--testPathPatterns", "--testPathPattern"),
      value("--selectProjects"),
      value("--testTimeout"),
      value("--maxWorkers"),
      choice(["--env", "--testEnvironment"], ["node", "jsdom"]),
      bare("--runTestsByPath"),
      dropped("--ci", "--silent", "--verbose", "--color", "--noColor", "--colors"),
      dropped("--noCoverage", "--coverage=false", "--noCache", "--noWatchman", "--watchman=false", "--watch=false"),
    ],
  },
  {
    name: "mocha",
    calls: [["mocha"]],
    subcommands: { allowed: [], refused: ["init", "inspect", "debug"] },
    spelling: "exact",
    flags: [
      value("-g", "--grep"),
      value("-f", "--fgrep"),
      value("-t", "--timeout"),
      choice(["-u", "--ui"], ["bdd", "tdd", "qunit", "exports"]),
      bare("--recursive"),
      dropped("--forbid-only", "--check-leaks", "--no-color", "--color"),
    ],
  },
  {
    name: "node-test",
    calls: [["node", "--test"]],
    subcommands: noSubcommands,
    spelling: "exact",
    flags: [
      value("--test-name-pattern"),
      value("--test-skip-pattern"),
      value("--test-timeout"),
      value("--test-concurrency"),
      bare("--experimental-strip-types"),
      bare("--experimental-vm-modules"),
      dropped("--no-warnings", "--test"),
    ],
  },
  {
    name: "pytest",
    calls: [["pytest"], ["py.test"], ["python", "-m", "pytest"], ["python3", "-m", "pytest"]],
    subcommands: noSubcommands,
    spelling: "exact",
    flags: [
      value("-k"),
      value("-m"),
      bare("--strict-markers"),
      bare("--strict-config"),
      dropped("-q", "-qq", "-v", "-vv", "--quiet", "--verbose"),
    ],
  },
  {
    name: "go-test",
    calls: [["go", "test"]],
    subcommands: noSubcommands,
    spelling: "exact",
    flags: [
      value("-run", "--run"),
      value("-tags", "--tags"),
      value("-timeout", "--timeout"),
      bare("-race"),
      bare("-short"),
      dropped("-v", "-count=1"),
    ],
  },
  {
    name: "cargo-test",
    calls: [["cargo", "test"]],
    subcommands: noSubcommands,
    spelling: "exact",
    flags: [
      value("-p", "--package"),
      value("--test"),
      value("-F", "--features"),
      bare("--lib"),
      bare("--workspace"),
      bare("--all-features"),
      bare("--no-default-features"),
      bare("--release"),
      dropped("-q", "--quiet"),
    ],
  },
];

/** Why a flag is refused, for the kinds that people try; tested against its name without dashes, case ignored. First match wins. */
export const refusedFlagKinds: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  { pattern: /^(?:test)?-?reporters?$|^json|^junit|^tap\b|^resultlog|^format$|^R$/iu, why: "reporter flags are ours" },
  {
    pattern: /output|destination|^o$|^out|^log|^attachmentsdir|resultsprocessor|snapshotresolver/iu,
    why: "output flags are ours",
  },
  {
    pattern: /^c$|config|^r$|^root|^dir$|^cwd|^prefix|^package$|^opts$|^rootdir|^inifile|^override-ini/iu,
    why: "config and root come from the base revision",
  },
  { pattern: /^w$|watch/iu, why: "the clean room never watches" },
  { pattern: /^u$|update|snapshot|^ci$/iu, why: "a verification writes no expectations" },
  { pattern: /coverage|^cov/iu, why: "coverage is switched off in test runs; use the key coverage" },
  {
    pattern: /pool|isolat|thread|fork|execargv|runinband|^i$|vmmemory|workeridle|experimental/iu,
    why: "how tests are kept apart is ours",
  },
  { pattern: /retr|rerun|repeat|^x$|^bail|exitfirst|maxfail|failfast/iu, why: "every test runs once and to the end" },
  {
    pattern: /shard|changed|related|lastfailed|^lf$|^ff$|sincelastrun|onlyfail|filter$/iu,
    why: "the whole selection runs, whatever ran before",
  },
  {
    pattern: /passwithnotests|allowonly|ignoreunhandled|detect|forceexit|^exit$|suppress/iu,
    why: "it would let a run pass that proves less",
  },
  {
    pattern: /inspect|debug|^ui|^api|^open|standalone|merge-?reports|browser|prof/iu,
    why: "it opens a way into the runner",
  },
  {
    pattern:
      /^require|^import|loader|preload|setup|^p$|plugin|^eval|^e$|^print|^env-?file|transform|resolver|runner|^exec|^toolexec|^vettool/iu,
    why: "it loads code into the runner",
  },
];
