/** The path under a registry at which a package's tarball is kept by convention, without a leading slash. */
export function tarballPath(name: string, version: string, slash: "/" | "%2f" = "/"): string {
  return `${name.replace("/", slash)}/-/${name.slice(name.indexOf("/") + 1)}-${version}.tgz`;
}

/** Whether a URL has the shape under which every registry keeps that package: `.../<name>/-/<file>.tgz`. */
export function isRegistryTarball(resolved: string, name: string): boolean {
  let url: URL;
  try {
    url = new URL(resolved);
  } catch {
    return false;
  }
  if ((url.protocol !== "https:" && url.protocol !== "http:") || url.username !== "" || url.search !== "") return false;
  const path = url.pathname.replaceAll(/%2f/giu, "/").replaceAll(/%40/gu, "@");
  const at = path.indexOf(`/${name}/-/`);
  return at >= 0 && /^[^%\\]+\.tgz$/u.test(path.slice(at + name.length + 4));
}
