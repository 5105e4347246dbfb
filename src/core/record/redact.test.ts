import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, redactArgv, redactText } from "./redact.ts";
import { createRedactionRules, standardRedactionRules, type RedactionRules } from "./redaction-rules.ts";
import { secretValues } from "./secret-values.ts";

const literal = "canary-env-value";
const rules = standardRedactionRules(secretValues({ SERVICE_TOKEN: literal }));
const body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n".repeat(4);
const pem = (kind: string, head = ""): string => `-----BEGIN ${kind}-----\n${head}${body}Qw==\n-----END ${kind}-----`;
const pemShown = (kind: string, head = ""): string => `-----BEGIN ${kind}-----${head}[redacted]-----END ${kind}-----`;
const R = "[redacted]";

const replaced: readonly [name: string, text: string, shown: string][] = [
  ["a personal token of a forge", `x ghp_${"a1B2".repeat(9)} y`, `x ${R} y`],
  ["a server token that holds a web token", `ghs_1_eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl`, R],
  ["a fine-grained token", `github_pat_${"A1_b".repeat(20)}`, R],
  ["a token of another forge", `glpat-${"a".repeat(20)}`, R],
  ["a model key", `key: sk-proj-${"A1-_".repeat(10)}.`, `key: ${R}.`],
  ["a model key of another maker", `sk-ant-api03-${"Ab1_".repeat(20)}`, R],
  ["a chat token", `xoxb-123456789012-${"a".repeat(24)}`, R],
  ["a cloud key id", "AKIAIOSFODNN7EXAMPLE", R],
  ["another cloud's key", `AIza${"a".repeat(35)}`, R],
  ["a registry token", `npm_${"a1".repeat(18)}`, R],
  ["a model hub token", `hf_${"aB".repeat(17)}`, R],
  ["a web token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w", R],
  ["a bot token", `bot123456789:AA${"a".repeat(33)}`, `bot123456789${R}`],
  ["a bearer header", "authorization: bearer abcdefghij", `authorization: bearer ${R}`],
  ["a bearer word alone", `Bearer ${"a".repeat(20)}`, `Bearer ${R}`],
  ["a basic header", "Authorization: Basic dXNlcjpwYXNz", `Authorization: Basic ${R}`],
  ["a basic word alone", `-H 'basic dXNlcjpwYXNzd29yZDE='`, `-H 'basic ${R}'`],
  ["a header in JSON", '{"Authorization":"Bearer abcdefghij"}', `{"Authorization":"Bearer ${R}"}`],
  ["a password in an address", "https://me:hunter2@host/x@y", `https://me:${R}@host/x@y`],
  ["a password with an at sign in an address", "postgres://me:p@ss@host/x", `postgres://me:${R}@host/x`],
  ["a named value", "PASSWORD=correcthorsebattery done", `PASSWORD=${R} done`],
  ["a named value in JSON", '{"api_key": "0123456789abcdefX"}', `{"api_key": "${R}"}`],
  [
    "a named value in escaped JSON",
    String.raw`{\"accessToken\":\"abcdefghijklmnop\"}`,
    String.raw`{\"accessToken\":\"${R}\"}`,
  ],
  ["a named value in code", "const clientSecret = 'abcdefghijklmnop';", `const clientSecret = '${R}';`],
  ["a named value in a query", "GET /?access_token=abcdefghijklmnop&x=1", `GET /?access_token=${R}&x=1`],
  ["a passphrase of words", 'passphrase: "correct horse battery staple"', `passphrase: "${R}"`],
  ["a connection string's key", "AccountKey=abcdefghijklmnop+/==;Endpoint=x", `AccountKey=${R};Endpoint=x`],
  ["a private key", `a\n${pem("RSA PRIVATE KEY")}\nb`, `a\n${pemShown("RSA PRIVATE KEY")}\nb`],
  ["a PKCS8 key", pem("PRIVATE KEY"), pemShown("PRIVATE KEY")],
  ["an OpenSSH key", pem("OPENSSH PRIVATE KEY"), pemShown("OPENSSH PRIVATE KEY")],
  [
    "an encrypted key with its headers",
    pem("RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n"),
    pemShown("RSA PRIVATE KEY", "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF"),
  ],
  ["a key in JSON", JSON.stringify(pem("PRIVATE KEY")), `"${pemShown("PRIVATE KEY")}"`],
  [
    "a key cut off by the command itself",
    `-----BEGIN PRIVATE KEY-----\n${body}- x`,
    `-----BEGIN PRIVATE KEY-----${R}- x`,
  ],
  ["a secret variable's value", `x${literal}y`, `x${R}y`],
  ["a secret variable's value in base64", Buffer.from(literal).toString("base64"), `${R}==`],
];

const kept: readonly [name: string, text: string][] = [
  ["a short value, as a test's name has it", "npx vitest -t token=expired"],
  ["a number", "total_tokens: 12345678901234567890, max_tokens=1000000"],
  ["the search path", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"],
  ["the home and working directory", "HOME=/home/somebody-here PWD=/home/somebody-here/project"],
  ["where a secret is", "password_file=/run/secrets/database-password tokenUrl: https://host/oauth/token/x"],
  ["a word that holds sk-", "the disk-usage-monitor-of-the-machine and task-runner-with-a-long-name"],
  ["prose about headers", "HTTP Basic authentication, a bearer token"],
  ["an address with a port and a scope", "http://localhost:4873/@scope/package file:///home/me/a.ts:12:3"],
  ["a public key and a certificate", "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIE\n-----END CERTIFICATE-----"],
  ["a variable of npm", "npm_config_user_agent npm_lifecycle_event"],
  ["a digest", `sha256:${"0a".repeat(32)}`],
  ["prose after a key's first line", "no -----BEGIN PRIVATE KEY----- was found.\nError: expected 1, got 2"],
];

function inChunks(bytes: Uint8Array, sizes: readonly number[], block?: number): { output: string; count: number } {
  const redactor = createRedactor(rules, block);
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes.length === 0 ? bytes.length : (sizes[turn % sizes.length] ?? 1);
    pieces.push(redactor.push(bytes.subarray(at, at + size)));
    at += size;
  }
  pieces.push(redactor.end());
  return { output: Buffer.concat(pieces).toString("latin1"), count: redactor.count };
}

describe("redaction", () => {
  it.each(replaced)("[A16] replaces %s", (_name, text, shown) => {
    expect(redactText(text, rules)).toBe(shown);
  });

  it.each(kept)("[A16] leaves %s as it is", (_name, text) => {
    expect(redactText(text, rules)).toBe(text);
  });

  it.each(replaced)("[A16] replaces %s wherever a chunk or a block ends", (_name, text, shown) => {
    const filler = "a line of output\n".repeat(300);
    for (const lead of [0, 1, 2, 4090, 4095, 4101]) {
      const bytes = Buffer.from(`${filler.slice(0, lead)} ${text}\n${filler}`);
      const wanted = `${filler.slice(0, lead)} ${shown}\n${filler}`;
      for (const block of [2, 16, 64, 1024]) expect(inChunks(bytes, [7], block).output).toBe(wanted);
    }
  });

  it("[A16] every single chunk border within a secret is as if it were not there", () => {
    for (const [, text] of replaced.filter(([name]) => !name.includes("key"))) {
      const bytes = Buffer.from(text);
      const whole = inChunks(bytes, []);
      for (let border = 1; border < bytes.length; border += 1) {
        expect(inChunks(bytes, [border, bytes.length], 2)).toEqual(whole);
      }
    }
  });

  it("[A16] a key whose lines carry a prefix is replaced too", () => {
    const text = pem("PRIVATE KEY").replaceAll("\n", "\nweb-1  | ");
    expect(redactText(text, rules)).not.toContain("MIIEvQIB");
    expect(redactText(`${text}\nError: ${"Z".repeat(50)}`, rules)).toContain(`Error: ${"Z".repeat(50)}`);
  });

  it("[A16] the same bytes in any chunking, and blocks of any size, give the same output", () => {
    const secret = fc.constantFrom(...replaced.map(([, text]) => text));
    const noise = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.constantFrom("\n", " ", "password", "=", "-----BEGIN", "://", "ghp_", "eyJ", "a".repeat(5000), "token: "),
    );
    const stream = fc.array(fc.oneof(secret, noise), { maxLength: 12 }).map((parts) => Buffer.from(parts.join("")));
    const sizes = fc.array(fc.integer({ min: 1, max: 9000 }), { maxLength: 5 });
    fc.assert(
      fc.property(stream, sizes, fc.constantFrom(2, 10, 100, 4096, 65536), (bytes, chunks, block) => {
        expect(inChunks(bytes, chunks, block)).toEqual(inChunks(bytes, []));
      }),
      { numRuns: 150 },
    );
  });

  it("bytes without a secret pass exactly", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(inChunks(bytes, [3], 2).output).toBe(Buffer.from(bytes).toString("latin1"));
      }),
    );
  });

  it("[A17] counts what it replaced", () => {
    expect(inChunks(Buffer.from(`${literal} ${literal} ghp_${"a".repeat(36)}`), [1]).count).toBe(3);
  });

  it("[A6] a secret of any length is swallowed without being held", () => {
    const redactor = createRedactor(rules);
    let most = redactor.push(Buffer.from("password=")).length;
    const block = Buffer.alloc(1 << 20, "x");
    for (let turn = 0; turn < 8; turn += 1) most = Math.max(most, redactor.push(block).length);
    expect(Buffer.from(redactor.end()).toString()).toBe("");
    expect([most, redactor.count]).toEqual(["password=[redacted]".length, 1]);
  });

  it("without rules the secret is there, so that a scan for it can fail", () => {
    const leaky: RedactionRules = createRedactionRules({ patterns: [], literals: [] });
    expect(redactText(`x ${literal} ghp_${"a".repeat(36)}`, leaky)).toContain(literal);
  });
});

describe("redactArgv", () => {
  it.each([
    [
      ["mysql", "--password", "correcthorsebattery"],
      ["mysql", "--password", R],
    ],
    [
      ["curl", "-H", "Authorization: Bearer abcdefghij"],
      ["curl", "-H", `Authorization: Bearer ${R}`],
    ],
    [
      ["x", "--token=abcdefghijklmnopq"],
      ["x", `--token=${R}`],
    ],
    [
      ["vitest", "-t", "token=expired"],
      ["vitest", "-t", "token=expired"],
    ],
    [
      ["echo", literal, "a b", ""],
      ["echo", R, "a b", ""],
    ],
    [
      ["git", "push", "https://me:pw@host/r"],
      ["git", "push", `https://me:${R}@host/r`],
    ],
  ])("[A16] %j", (argv, shown) => {
    expect(redactArgv(argv, rules)).toEqual(shown);
  });

  it("[A2] words stay apart and in order", () => {
    expect(redactArgv(["a b", "a", "b"], rules)).toEqual(["a b", "a", "b"]);
  });
});

describe("secretValues", () => {
  it.each([
    ["GITHUB_TOKEN", "abcdefgh", true],
    ["AWS_SECRET_ACCESS_KEY", "abcdefgh", true],
    ["npm_config__authToken", "abcdefgh", true],
    ["DB_PASSWORD", "abcdefgh", true],
    ["API_KEY", "abcdefg", false],
    ["API_KEY", "12345678", false],
    ["TOKEN_FILE", "/run/secrets/x", false],
    ["SSH_AUTH_SOCK", "/tmp/ssh-x/agent", false],
    ["PATH", "/usr/bin:/bin", false],
    ["HOME", "/home/somebody", false],
    ["PWD", "/home/somebody", false],
    ["GIT_AUTHOR_NAME", "Some Body", false],
    ["KEYBOARD_LAYOUT", "something", false],
    ["MY_TOKEN", "/home/everybody", false],
  ])("%s=%s: %j", (name, value, secret) => {
    expect(secretValues({ HOME: "/home/everybody", [name]: value }).includes(value)).toBe(secret);
  });
});
