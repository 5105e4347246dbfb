import path from "node:path";

/**
 * Signs in the environment that a program ran in this job before the gate and may steer it: options for every Node process,
 * libraries loaded into every process, programs of the work tree in the search path. Empty when there is none.
 */
export function earlierSteps(
  env: Readonly<Record<string, string | undefined>>,
  place: { readonly workTree: string; readonly own: string },
): readonly string[] {
  const steering = ["NODE_OPTIONS", "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT"].filter(
    (name) => (env[name] ?? "") !== "",
  );
  // An empty or relative entry is taken from the directory of the job.
  const inside = (env["PATH"] ?? "")
    .split(path.delimiter)
    .map((directory) => path.resolve(place.workTree, directory))
    .filter((directory) => isInside(place.workTree, directory) && !isInside(place.own, directory));
  return [
    ...steering.map((name) => `${name} is set`),
    ...inside.map((directory) => `the search path holds ${directory}`),
  ];
}

function isInside(root: string, directory: string): boolean {
  return `${directory}/`.startsWith(`${root}/`);
}
