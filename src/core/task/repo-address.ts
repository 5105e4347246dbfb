/** What the word in `repo` means. Nothing was looked up. */
export type RepoAddress =
  | { readonly kind: "name"; readonly owner: string; readonly name: string }
  | { readonly kind: "https"; readonly url: string }
  | { readonly kind: "ssh"; readonly url: string }
  | { readonly kind: "path"; readonly path: string };

export type RepoAddressResult =
  { readonly ok: true; readonly address: RepoAddress } | { readonly ok: false; readonly reason: string };

/**
 * Reads `repo`: `owner/name`, an https or ssh address, or a path (absolute, or beginning with `./`, `../`, `~/` or `file://`).
 * An address with user name and password or token is refused: it would be stored and shown.
 */
export function parseRepoAddress(text: string): RepoAddressResult {
  const fault = textFault(text);
  if (fault !== null) return { ok: false, reason: fault };
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(text)) return parseUrl(text);
  if (/^(?:\/|\.{1,2}(?:\/|$)|~\/)/u.test(text)) return { ok: true, address: { kind: "path", path: text } };
  if (/^[^/]*:/u.test(text)) return parseScp(text);
  const name = /^([A-Za-z0-9][A-Za-z0-9-]{0,38})\/([A-Za-z0-9._-]{1,100})$/u.exec(text);
  const [, owner, repository] = name ?? [];
  if (owner === undefined || repository === undefined || /^\.{1,2}$|\.git$/u.test(repository)) {
    return {
      ok: false,
      reason: "is neither owner/name, nor an https or ssh address, nor a path (write ./PATH for a relative one)",
    };
  }
  return { ok: true, address: { kind: "name", owner, name: repository } };
}

function textFault(text: string): string | null {
  if (/\p{Cc}/u.test(text)) return "holds a control character";
  if (text !== text.trim()) return "has space around it";
  // A program that gets this as an argument would take it for a flag.
  return text.startsWith("-") ? "begins with -" : null;
}

function parseUrl(text: string): RepoAddressResult {
  const url = URL.parse(text);
  if (url === null) return { ok: false, reason: "is not a valid address" };
  if (url.protocol === "file:" && url.host === "")
    return { ok: true, address: { kind: "path", path: decodePath(url.pathname) } };
  if (url.protocol !== "https:" && url.protocol !== "ssh:")
    return { ok: false, reason: `uses ${url.protocol}//; only https and ssh are allowed` };
  if (url.hostname === "" || url.hostname.startsWith("-")) return { ok: false, reason: "names no host" };
  if (url.password !== "" || (url.username !== "" && !isGitUser(url))) {
    return { ok: false, reason: "holds a user name or password; keep credentials out of the task" };
  }
  if (url.search !== "" || url.hash !== "") return { ok: false, reason: "has a query or a fragment" };
  if (url.pathname.length < 2) return { ok: false, reason: "names no repository" };
  return { ok: true, address: { kind: url.protocol === "ssh:" ? "ssh" : "https", url: text } };
}

/** `git@` in front of an ssh host is no secret: it is the same for everyone. */
function isGitUser(url: URL): boolean {
  return url.protocol === "ssh:" && url.username === "git";
}

function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** The short ssh form, `git@host:owner/name.git`. */
function parseScp(text: string): RepoAddressResult {
  const match = /^(?:([^@:/]+)@)?([A-Za-z0-9][A-Za-z0-9.-]*):([^:\s-][^:\s]*)$/u.exec(text);
  if (match === null) return { ok: false, reason: "is not a valid address" };
  if (match[1] !== undefined && match[1] !== "git") {
    return { ok: false, reason: "holds a user name; keep credentials out of the task" };
  }
  return { ok: true, address: { kind: "ssh", url: text } };
}
