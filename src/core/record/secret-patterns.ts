/** One kind of secret as data. A match begins at one of `anchors`; what `kept` matches stays readable. */
export interface SecretPattern {
  readonly name: string;
  /** Literal beginnings, three characters or more: the fast search looks only for these. */
  readonly anchors: readonly string[];
  /** Whether letters of the anchors match in either case. */
  readonly caseless: boolean;
  /** Regular expression for what stays: from the anchor on, or empty when the anchor itself is secret. */
  readonly kept: string;
  /** Regular expression for the beginning of the secret; bounded in length, so that it fits any window. */
  readonly secret: string;
  /** Characters that go on with the secret, as the inside of a class; empty when `secret` is all of it. */
  readonly rest: string;
  /** `key-block`: long base64 runs behind it are secret too, up to an end line. */
  readonly opens?: "key-block";
}

/** A class of letters, digits, underscore, hyphen and what else is named. */
const word = (more = ""): string => `A-Za-z0-9_${more}-`;
/** White space in ASCII only: bytes are matched one by one, and some of those beyond are parts of letters. */
const space = String.raw`\t-\r `;

/** Each letter as a class of both cases; other characters stand for themselves. */
function anyCase(text: string): string {
  return text.replace(/[a-z]/giu, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}

/** A token known by its prefix: it and at least `least` characters of `of` behind it. */
function token(name: string, anchors: readonly string[], ...span: [least: number, of?: string]): SecretPattern {
  const [least, of = word()] = span;
  const prefix = anchors.map(escape).join("|");
  const secret = `(?<![A-Za-z0-9])(?:${prefix})[${of}]{${least}}`;
  return { name, anchors, caseless: false, kept: "", secret, rest: of };
}

const hex = "0-9a-f";
const hexDigits = "0123456789abcdef";
const alphanumeric = "A-Za-z0-9";

/** Token formats that their issuers publish. */
const tokens: readonly SecretPattern[] = [
  token("github", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], 16, "A-Za-z0-9_.-"),
  token("github", ["github_pat_"], 16),
  token(
    "gitlab",
    ["glpat-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-"],
    16,
    word("."),
  ),
  token("gitlab", ["gloas-", "glsoat-", "glffct-", "glwt-"], 16, word(".")),
  token("openai, anthropic, openrouter, deepseek", ["sk-"], 20),
  token(
    "slack",
    ["xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xoxc-", "xoxd-", "xapp-"],
    16,
    word(".%"),
  ),
  token("aws", ["AKIA", "ASIA", "ABIA", "ACCA"], 16, "A-Z0-9"),
  token("aws bedrock", ["ABSKQmVkcm9ja0FQSUtleS", "bedrock-api-key-"], 20, "A-Za-z0-9+/="),
  token("google", ["AIza"], 30),
  token("google", ["ya29."], 20, word(".")),
  token("google", ["GOCSPX-"], 20),
  token("npm", ["npm_"], 30, alphanumeric),
  token("hugging face", ["hf_", "api_org_"], 30, alphanumeric),
  token("pypi", ["pypi-"], 40),
  token("rubygems", ["rubygems_"], 40, hex),
  token("docker", ["dckr_pat_", "dckr_oat_"], 20),
  token("stripe", ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"], 16, alphanumeric),
  token("sendgrid", ["SG."], 40, word(".")),
  token(
    "twilio",
    Array.from(hexDigits, (digit) => `SK${digit}`),
    31,
    hex,
  ),
  token("digitalocean", ["dop_v1_", "doo_v1_", "dor_v1_"], 40, hex),
  token("atlassian", ["ATATT3", "ATCTT3", "ATBB"], 20, word("=")),
  token("vault", ["hvs.", "hvb.", "hvr."], 20),
  token("shopify", ["shpat_", "shpca_", "shppa_", "shpss_"], 30, "A-Fa-f0-9"),
  token("square", ["sq0atp-", "sq0csp-"], 20),
  token("linear", ["lin_api_", "lin_oauth_"], 30, alphanumeric),
  token("notion", ["ntn_"], 40, alphanumeric),
  token("figma", ["figd_"], 30),
  token("postman", ["PMAK-"], 40),
  token("new relic", ["NRAK-", "NRJS-", "NRII-"], 20),
  token("grafana", ["glsa_", "glc_"], 30, "A-Za-z0-9_+/="),
  token("sentry", ["sntrys_", "sntryu_"], 30, "A-Za-z0-9_+/="),
  token("databricks", ["dapi"], 32, `${hex}-`),
  token("doppler", ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa."], 40, alphanumeric),
  token("groq", ["gsk_"], 40, alphanumeric),
  token("perplexity", ["pplx-"], 40, alphanumeric),
  token("replicate", ["r8_"], 30, alphanumeric),
  token("xai", ["xai-"], 40, alphanumeric),
  token("langsmith", ["lsv2_pt_", "lsv2_sk_"], 30),
  token("tailscale", ["tskey-"], 20),
  token("netlify", ["nfp_"], 30, alphanumeric),
  token("supabase", ["sbp_", "sb_secret_"], 20),
  token("planetscale", ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], 30, word(".=")),
  token("fly", ["fo1_", "fm1_", "fm2_"], 30, "A-Za-z0-9_+/=-"),
  token("heroku", ["HRKU-"], 30),
  token("buildkite", ["bkua_"], 40, hex),
  token("circleci", ["CCIPAT_", "CCIPRJ_"], 30),
  token("artifactory", ["AKCp"], 60, alphanumeric),
  token("alibaba", ["LTAI"], 16, alphanumeric),
  token("age", ["AGE-SECRET-KEY-1"], 40, "A-Z0-9"),
  token("mailgun", ["key-"], 32, hex),
  token("1password", ["ops_eyJ"], 40, "A-Za-z0-9_+/="),
];

/** A signed web token: three parts, of which the first is JSON and so begins `eyJ`. */
const webToken: SecretPattern = {
  name: "json web token",
  anchors: ["eyJ"],
  caseless: false,
  kept: "",
  secret: String.raw`(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,1024}\.[A-Za-z0-9_-]{8}`,
  rest: word("."),
};

/** A bot's token: its number, a colon, its secret. */
const botToken: SecretPattern = {
  name: "telegram",
  anchors: [":AA"],
  caseless: false,
  kept: "",
  secret: "(?<=[0-9]{8}):AA[A-Za-z0-9_-]{32}",
  rest: word(),
};

/** What stands between a name and its value in shells, headers, JSON (also escaped), YAML and code. */
const separator = String.raw`\\?["'\]]{0,2}[${space}]{0,4}(?:=>|:=|[:=])[${space}]{0,4}(?:\\?["'${"`"}])?`;
/** How a name goes on: `tokens`, `secret_key`, `passwordHash`. */
const nameEnd = "(?:[sS]|[_-][A-Za-z0-9_-]{0,30}|[A-Z0-9][A-Za-z0-9_]{0,30})?";
/** Names that tell where a secret is, or of what kind: their values are no secrets. */
const places = [
  "file",
  "path",
  "url",
  "uri",
  "dir",
  "name",
  "type",
  "endpoint",
  "limit",
  "count",
  "expires",
  "ttl",
  "length",
];
const notPlace = `(?<!${places.map(anyCase).join("|")})`;
const valueClass = String.raw`^${space}"'${"`"},;&<>(){}\[\]|\\`;
const notNumber = String.raw`(?![0-9.,:_-]{16,64}(?![${valueClass}]))`;

/** `name=value` with a value of 16 or more characters that is no number. */
function keyed(names: readonly string[], notBefore = ""): SecretPattern {
  const kept = `(?:${names.map((name) => anyCase(escape(name))).join("|")})${nameEnd}${notPlace}${separator}`;
  const secret = `${notBefore}${notNumber}[${valueClass}]{16}`;
  return { name: "named value", anchors: names, caseless: true, kept, secret, rest: valueClass };
}

const joined = (first: string, second: string): readonly string[] =>
  ["", "_", "-", "."].map((by) => first + by + second);

const passwords = ["password", "passwd", "passphrase"];
const named: readonly SecretPattern[] = [
  {
    name: "quoted password",
    anchors: passwords,
    caseless: true,
    kept: `(?:${passwords.map(anyCase).join("|")})${nameEnd}${notPlace}${separator.slice(0, -1)}`,
    secret: String.raw`[^"'${"`"}\r\n\\]{16}`,
    rest: String.raw`^"'${"`"}\r\n\\`,
  },
  keyed([...passwords, "secret", "token", "credential", "authorization"]),
  keyed(["pwd"], String.raw`(?![/~.\\]|[A-Za-z]:[/\\])`),
  keyed(
    ["api", "access", "private", "account", "signing", "encryption", "master"].flatMap((kind) => joined(kind, "key")),
  ),
  keyed(["sharedaccesssignature", "&sig", "?sig", "x-amz-signature", "sessionid", "session_id"]),
];

/** npm's own name, that names of authors and of sockets begin with too. */
const npmAuth: SecretPattern = { ...keyed(["_auth"]), kept: `${anyCase("_auth")}${separator}` };

const blank = String.raw`(?:[${space}]|%20){1,4}`;
const headerValue = "A-Za-z0-9._~+/=-";
const headers: readonly SecretPattern[] = [
  {
    name: "authorization header",
    anchors: ["authorization"],
    caseless: true,
    kept: `${anyCase("authorization")}${separator}(?:${["basic", "bearer", "token", "digest", "negotiate", "apikey"].map(anyCase).join("|")})${blank}`,
    secret: `[${headerValue}]{8}`,
    rest: headerValue,
  },
  {
    name: "bearer",
    anchors: ["bearer"],
    caseless: true,
    kept: `(?<![A-Za-z0-9])${anyCase("bearer")}${blank}`,
    secret: `[${headerValue}]{16}`,
    rest: headerValue,
  },
  {
    name: "basic",
    anchors: ["basic"],
    caseless: true,
    kept: `(?<![A-Za-z0-9])${anyCase("basic")}${blank}`,
    // Prose says `Basic authentication`; an encoded pair nearly always holds a digit, a plus or padding.
    secret: "(?=[A-Za-z/]{0,64}[0-9+=])[A-Za-z0-9+/]{8}",
    rest: "A-Za-z0-9+/=",
  },
];

const addresses: readonly SecretPattern[] = [
  {
    name: "password in an address",
    anchors: ["://"],
    caseless: false,
    kept: String.raw`:\/\/[^${space}/?#:@"'<>]{0,256}:`,
    secret: String.raw`[^${space}/?#"'<>]{1,1024}(?=@)`,
    rest: "",
  },
  {
    name: "slack address",
    anchors: ["hooks.slack.com/"],
    caseless: false,
    kept: String.raw`hooks\.slack\.com\/(?:services|workflows|triggers)\/`,
    secret: "[A-Za-z0-9/_-]{16}",
    rest: "A-Za-z0-9/_-",
  },
];

const keyBlock: SecretPattern = {
  name: "private key",
  anchors: ["-----BEGIN "],
  caseless: false,
  kept: String.raw`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:[${space}]|\\[rn]){0,8}[A-Z][A-Za-z-]{2,20}: [^\r\n\\]{0,128}){0,6}`,
  secret: String.raw`(?:[${space}"'+,]|\\[rn]){0,64}[A-Za-z0-9+/=]{16}`,
  // No blank: prose behind a key that was cut off must not vanish with it. Indented lines are seen one by one.
  rest: String.raw`A-Za-z0-9+/=\r\n"',\\`,
  opens: "key-block",
};

/** Every kind of secret that is known by its form. Order decides where two begin at one place. */
export const secretPatterns: readonly SecretPattern[] = [
  keyBlock,
  ...headers,
  ...tokens,
  webToken,
  botToken,
  ...named,
  npmAuth,
  ...addresses,
];
