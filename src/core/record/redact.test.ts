import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, redactArgv, redactText, redactionMarker } from "./redact.ts";
import { createRedactionRules, standardRedactionRules } from "./redaction-rules.ts";
import { secretValues } from "./secret-values.ts";

const rules = standardRedactionRules(["correct-horse-battery"]);
const body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
const key = `-----BEGIN PRIVATE KEY-----\n${body}\n${body}\n-----END PRIVATE KEY-----`;

const secrets: readonly (readonly [string, string, string])[] = [
  ["a forge token", "push with ghp_0123456789abcdefghij0123456789abcdef", "ghp_0123456789"],
  ["a model key", "key sk-abcdefghijklmnopqrstuvwxyz012345", "sk-abcdefghijkl"],
  ["a bearer header", "Authorization: Bearer abcdef0123456789abcdef", "abcdef0123456789"],
  ["a password in an address", "https://user:hunter2hunter2@example.org/x", "hunter2hunter2"],
  ["a named value", "password=abcdefghijklmnop0123", "abcdefghijklmnop0123"],
  ["a literal of the environment", "it is correct-horse-battery here", "correct-horse-battery"],
  ["a PKCS8 body", key, body],
];

function inChunks(text: string, sizes: readonly number[]): string {
  const bytes = new TextEncoder().encode(text);
  const redactor = createRedactor(rules);
  const out: Uint8Array[] = [];
  let at = 0;
  for (const size of sizes) {
    out.push(redactor.push(bytes.slice(at, at + size)).slice());
    at += size;
  }
  out.push(redactor.push(bytes.slice(at)).slice(), redactor.end().slice());
  return Buffer.concat(out).toString("utf8");
}

describe("redaction", () => {
  it.each(secrets)("[A16] %s is replaced, also across every chunk border", (_name, text, secret) => {
    const whole = redactText(text, rules);
    expect(whole).toContain(redactionMarker);
    expect(whole).not.toContain(secret);
    for (let border = 1; border < text.length; border++) expect(inChunks(text, [border])).toBe(whole);
  });

  it("[A16] the same bytes give the same output in any chunks", () => {
    const pieces = fc.constantFrom(...secrets.map(([, text]) => text), "plain text\n", "é\u0000\r\n", key.slice(0, 60));
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 6 }),
        fc.array(fc.nat({ max: 40 }), { maxLength: 12 }),
        (texts, sizes) => {
          const text = texts.join(" ");
          expect(inChunks(text, sizes)).toBe(redactText(text, rules));
        },
      ),
    );
  });

  it.each([
    ["npx vitest run -t token=expired"],
    ["PATH=/usr/local/bin:/usr/bin:/bin"],
    ["HOME=/root"],
    ["took 1234567890123456 ms"],
  ])("%s stays readable", (text) => {
    expect(redactText(text, rules)).toBe(text);
  });

  it("[A16] argv is redacted word by word", () => {
    expect(redactArgv(["curl", "-H", "Authorization: Bearer abcdef0123456789abcdef"], rules).join(" ")).not.toContain(
      "abcdef0123",
    );
  });

  it("only secret-named variables give literals, of 8 characters or more, never PATH, HOME or numbers", () => {
    const values = secretValues({
      API_TOKEN: "abcdefgh",
      DB_PASSWORD: "short",
      PATH: "/usr/bin:/bin",
      HOME: "/home/user",
      SECRET_PORT: "12345678",
    });
    expect(values).toEqual(["YWJjZGVmZ2g", "abcdefgh"]); // as it is, and in base64
  });

  it("rules without patterns let a secret through, so that a scan can fail", () => {
    const leaky = createRedactionRules({ patterns: [], literals: [] });
    expect(redactText("ghp_0123456789abcdefghij0123456789abcdef", leaky)).toContain("ghp_0123456789");
  });
});
