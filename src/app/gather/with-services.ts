/** One service of the contract, its words made ready to run. */
export interface PlannedService {
  readonly name: string;
  readonly argv: readonly string[];
  /** Exits 0 once the service can be used. */
  readonly ready: readonly string[];
}

/** The exit code of a run whose service did not come up; the command itself was then never started. */
export const serviceExit = 97;
const readySeconds = 60;
/** Descriptors of the sandbox and the witness: a service has none of them. */
const closed = "3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-";

/**
 * Words that start the services in the run's own namespace, wait until each is ready, and then become the command: it keeps
 * its process, its descriptors and its exit code, and when it ends the namespace ends, and every service with it.
 * `hidden` names the variables that only the command may see.
 */
export function withServices(
  argv: readonly string[],
  services: readonly PlannedService[],
  hidden: readonly string[],
): readonly string[] {
  if (services.length === 0) return argv;
  return [
    "/bin/sh",
    "-c",
    services.map((one, index) => start(one, index, hidden)).join("\n") + '\nexec "$@"',
    "services",
    ...argv,
  ];
}

function start({ name, argv, ready }: PlannedService, index: number, hidden: readonly string[]): string {
  const log = `/tmp/trueup-service-${index}.log`;
  const fail = (why: string): string =>
    `{ tail -c 2000 ${log} >&2; echo ${quote(`trueup: the service ${name} ${why}`)} >&2; exit ${serviceExit}; }`;
  return [
    `( unset ${["TRUEUP_CHANNEL", ...hidden].join(" ")}; exec ${words(argv)} ) </dev/null >${log} 2>&1 ${closed} &`,
    `service=$! left=${readySeconds * 5}`,
    `until ( unset ${["TRUEUP_CHANNEL", ...hidden].join(" ")}; exec ${words(ready)} ) </dev/null >/dev/null 2>&1 ${closed}; do`,
    `  kill -0 $service 2>/dev/null || ${fail("ended before it was ready")}`,
    `  left=$((left - 1)); [ $left -gt 0 ] || ${fail(`was not ready within ${readySeconds} s`)}`,
    `  sleep 0.2`,
    `done`,
  ].join("\n");
}

function words(argv: readonly string[]): string {
  return argv.map(quote).join(" ");
}

/** One word for `sh`, whatever stands in it. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
