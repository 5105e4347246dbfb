const secretName =
  /(?:^|[_.-])(?:TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|PWD|PASS|CREDENTIALS?|AUTH|KEY|APIKEY|PAT|COOKIE|DSN|SIGNATURE)(?:$|[_.-])|(?:TOKEN|SECRET|PASSWORD|APIKEY|AUTHTOKEN)$/iu;
/** The value tells where or of what kind, or belongs to the desktop session. */
const placeName =
  /[_.-](?:FILE|PATH|DIR|URL|URI|ENDPOINT|NAME|ID|TYPE|SOCK|SOCKET|TTL|LIMIT|COUNT)$|^(?:OLD)?PWD$|^SSH_/iu;
/** Variables whose value everybody's output holds. */
const commonNames = ["PATH", "HOME", "PWD", "OLDPWD", "USER", "LOGNAME", "SHELL", "HOSTNAME", "TMPDIR", "LANG"];
const minimum = 8;

/**
 * The values of an environment that are secret by their variable's name: 8 characters or more, no number, nothing that is
 * also the value of PATH, HOME and the like. Longest first, each once, also in the forms that encode it.
 */
export function secretValues(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const common = new Set(commonNames.flatMap((name) => environment[name] ?? []));
  const values = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && secretName.test(name) && !placeName.test(name) ? [value, value.trim()] : [],
  );
  const secret = values.filter(
    (value) => value.length >= minimum && !/^[\d.,:_-]*$/u.test(value) && !common.has(value),
  );
  return [...new Set(secret.flatMap(forms))].toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

/** A value as it is, and as JSON, addresses and basic headers write it. */
function forms(value: string): readonly string[] {
  const encoded = Buffer.from(value, "utf8").toString("base64").replace(/=+$/u, "");
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed()), encoded];
}
