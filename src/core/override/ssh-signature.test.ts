import { describe, expect, test } from "vitest";
import { makeSshSignature } from "../../../test/fixtures/override-builders.ts";
import { decodeSshSignature } from "./ssh-signature.ts";

describe("decodeSshSignature", () => {
  test.each([
    ["an ordinary key", {}, { keyType: "ssh-ed25519", namespace: "trueup-override", touched: null }],
    ["another purpose", { namespace: "git" }, { namespace: "git" }],
    ["a touched security key", { keyType: "sk-ssh-ed25519@openssh.com", flags: 1 }, { touched: true }],
    ["a touched and verified one", { keyType: "sk-ssh-ed25519@openssh.com", flags: 5 }, { touched: true }],
    ["an untouched one", { keyType: "sk-ssh-ed25519@openssh.com", flags: 4 }, { touched: false }],
    ["one whose signature says nothing of a touch", { keyType: "sk-ssh-ed25519@openssh.com" }, { touched: false }],
  ])("%s", (_name, parts, expected) => {
    expect(decodeSshSignature(makeSshSignature(parts))).toMatchObject(expected);
  });

  const whole = makeSshSignature();
  const bytes = Buffer.from(whole.split("\n").slice(1, -2).join(""), "base64");
  const armoured = (content: Buffer) =>
    `-----BEGIN SSH SIGNATURE-----\n${content.toString("base64")}\n-----END SSH SIGNATURE-----\n`;

  test.each([
    ["nothing", ""],
    ["words", "signed by Ada"],
    ["a signature of another kind", whole.replaceAll("SSH SIGNATURE", "PGP SIGNATURE")],
    ["text before it", `x\n${whole}`],
    ["two of them", whole + whole],
    ["another version", armoured(Buffer.concat([bytes.subarray(0, 9), Buffer.from([2]), bytes.subarray(10)]))],
    ["one cut short", armoured(bytes.subarray(0, -1))],
    ["one with bytes behind it", armoured(Buffer.concat([bytes, Buffer.from([0])]))],
    ["a head alone", armoured(bytes.subarray(0, 10))],
    ["lengths that lead past the end", armoured(Buffer.concat([bytes.subarray(0, 10), Buffer.alloc(4, 0xff)]))],
  ])("%s is none", (_name, text) => {
    expect(decodeSshSignature(text)).toBeNull();
  });
});
