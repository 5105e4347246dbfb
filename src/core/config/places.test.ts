import { describe, expect, test } from "vitest";
import { resolvePlaces } from "./places.ts";

describe("resolvePlaces", () => {
  const cases = [
    {
      name: "the home directory is the last resort",
      env: { HOME: "/home/ada" },
      state: "/home/ada/.local/state/trueup",
      cache: "/home/ada/.cache/trueup",
      runtime: "/home/ada/.local/state/trueup/run",
    },
    {
      name: "XDG wins over home",
      env: { HOME: "/home/ada", XDG_STATE_HOME: "/s/", XDG_CACHE_HOME: "/c", XDG_RUNTIME_DIR: "/run/user/7" },
      state: "/s/trueup",
      cache: "/c/trueup",
      runtime: "/run/user/7/trueup",
    },
    {
      name: "our variables win over XDG and are taken as they are",
      env: { HOME: "/h", XDG_STATE_HOME: "/s", XDG_CACHE_HOME: "/c", TRUEUP_STATE: "/var/t/", TRUEUP_CACHE: "/big" },
      state: "/var/t",
      cache: "/big",
      runtime: "/var/t/run",
    },
    {
      name: "a relative XDG value and an empty variable of ours are ignored",
      env: { HOME: "/", XDG_STATE_HOME: "state", TRUEUP_CACHE: "" },
      state: "/.local/state/trueup",
      cache: "/.cache/trueup",
      runtime: "/.local/state/trueup/run",
    },
  ];
  test.each(cases)("$name", ({ env, state, cache, runtime }) => {
    expect(resolvePlaces(env)).toEqual({ resolved: true, places: { state, cache, runtime } });
  });

  test.each([
    { name: "no home at all", env: {}, variable: "HOME" },
    { name: "a relative home", env: { HOME: "ada" }, variable: "HOME" },
    { name: "a relative TRUEUP_STATE", env: { HOME: "/h", TRUEUP_STATE: "state" }, variable: "TRUEUP_STATE" },
    { name: "a relative TRUEUP_CACHE", env: { HOME: "/h", TRUEUP_CACHE: "./c" }, variable: "TRUEUP_CACHE" },
  ])("$name is an account and not a guess", ({ env, variable }) => {
    expect(resolvePlaces(env)).toMatchObject({ resolved: false, variable });
  });
});
