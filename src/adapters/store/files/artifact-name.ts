const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/u;

/** Whether a name stays below the artifacts directory: plain segments, none hidden, none that climbs. */
export function isArtifactName(name: string): boolean {
  return name.length <= 200 && name.split("/").every((part) => segment.test(part));
}
