/** Where Trueup keeps things on a machine; absolute paths, never under a work tree. */
export interface Places {
  readonly state: string;
  readonly cache: string;
  /** Sockets. */
  readonly runtime: string;
}

/** Places, or the variable that keeps them from being known and why. */
export type ResolvedPlaces =
  | { readonly resolved: true; readonly places: Places }
  | { readonly resolved: false; readonly variable: string; readonly reason: string };

type Environment = Readonly<Record<string, string | undefined>>;

class Unresolved {
  readonly variable: string;
  readonly reason: string;
  constructor(variable: string, reason: string) {
    this.variable = variable;
    this.reason = reason;
  }
}

/** Our own variable must be absolute: a relative one would depend on where the command was typed. */
function ownVariable(env: Environment, name: string): string | Unresolved | null {
  const value = env[name];
  if (value === undefined || value === "") return null;
  if (!value.startsWith("/")) return new Unresolved(name, "not an absolute path");
  return withoutTrailingSlash(value);
}

/** The XDG rule: a relative value is invalid and ignored. */
function xdgVariable(env: Environment, name: string): string | null {
  const value = env[name];
  return value === undefined || !value.startsWith("/") ? null : `${withoutTrailingSlash(value)}/trueup`;
}

function withoutTrailingSlash(path: string): string {
  return path.replace(/(?<=.)\/+$/u, "");
}

function choose(env: Environment, names: { own: string; xdg: string; home: string }): string | Unresolved {
  const chosen = ownVariable(env, names.own) ?? xdgVariable(env, names.xdg);
  if (chosen !== null) return chosen;
  const home = env["HOME"];
  if (home === undefined || !home.startsWith("/")) return new Unresolved("HOME", "not set to an absolute path");
  return `${withoutTrailingSlash(home) === "/" ? "" : withoutTrailingSlash(home)}/${names.home}/trueup`;
}

/** State, cache and runtime places for an environment: `TRUEUP_*`, then XDG, then the home directory. */
export function resolvePlaces(env: Environment): ResolvedPlaces {
  const state = choose(env, { own: "TRUEUP_STATE", xdg: "XDG_STATE_HOME", home: ".local/state" });
  if (state instanceof Unresolved) return { resolved: false, variable: state.variable, reason: state.reason };
  const cache = choose(env, { own: "TRUEUP_CACHE", xdg: "XDG_CACHE_HOME", home: ".cache" });
  if (cache instanceof Unresolved) return { resolved: false, variable: cache.variable, reason: cache.reason };
  const runtime = xdgVariable(env, "XDG_RUNTIME_DIR") ?? `${state}/run`;
  return { resolved: true, places: { state, cache, runtime } };
}
