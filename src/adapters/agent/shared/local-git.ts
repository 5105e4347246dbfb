/**
 * Makes a throw-away repository in the work tree and then becomes the agent's program. It has no remote, no credential,
 * no hook and no template, and its identity says what it is. Nothing reads it afterwards: the change is captured from the
 * files. Paths in the first argument (mounted dependencies) are left out. Without git the agent works without.
 */
const script = `excluded=$1; shift
if [ -x /usr/bin/git ]; then
  (
    set -e
    /usr/bin/git init -q --template= .
    /usr/bin/git symbolic-ref HEAD refs/heads/base
    mkdir -p .git/info
    printf '%s\\n' "$excluded" >.git/info/exclude
    /usr/bin/git config user.name 'sandboxed agent'
    /usr/bin/git config user.email agent@sandbox.invalid
    /usr/bin/git config gc.auto 0
    /usr/bin/git add -A
    /usr/bin/git commit -q --no-verify --allow-empty -m 'Base'
  ) >/dev/null 2>&1 || { rm -rf .git; echo 'trueup: the work tree has no local git repository' >&2; }
fi
exec "$@"`;

/** The argument list that prepares `/repo` for the agent and then runs `argv`; a program that is not found exits 127. */
export function withLocalGit(argv: readonly string[], mountPoints: readonly string[]): readonly string[] {
  const excluded = mountPoints.map((path) => `/${path}`).join("\n");
  return ["/bin/sh", "-c", script, "sh", excluded, ...argv];
}
