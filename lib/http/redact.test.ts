import { describe, expect, test } from "vitest";
import { newKey } from "@/lib/auth/access-key";
import { readSettings, SETTINGS } from "@/lib/kernel/env";
import { keepFromLogs } from "@/lib/kernel/secret-values";
import { superlinear } from "@/lib/testing/processor-growth";
import { redact, secretSettings } from "./redact";

const KEY = newKey("use");
const JWT = "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..V2hhdCBhIHNlY3JldA.Zm9yIG5vYm9keQ.dGFn";

describe("logs never contain", () => {
  test.each([
    ["a use key", `found ${KEY} in it`, "found svc_use_[redacted] in it"],
    ["a key with text on both sides", `x${newKey("live")}-y`, "xsvc_live_[redacted]-y"],
    ["a cut key", "svc_cli_abc", "svc_cli_[redacted]"],
    [
      "a database's password",
      "connect postgresql://me:p%40ss@db:5432/x failed",
      "connect postgresql://[redacted]@db:5432/x failed",
    ],
    ["a password with an at sign", "redis://:a@b@cache:6379", "redis://[redacted]@cache:6379"],
    ["a query string", "GET /sign-in?callbackUrl=/x&email=a@b.example HTTP", "GET /sign-in?[redacted] HTTP"],
    ["a query string of a URL", "fetch https://x.example/a?key=1#top", "fetch https://x.example/a?[redacted]"],
    ["the token of a link", "open /verify-email#token=abc_DEF-123 now", "open /verify-email#token=[redacted] now"],
    ["a bearer token", "Authorization: Bearer abc123.def456-ghi", "Authorization: Bearer [redacted]"],
    [
      "a session cookie",
      "cookie: theme=1; __Host-parquetry-session=abc.def; x=1",
      "cookie: theme=1; __Host-parquetry-session=[redacted]; x=1",
    ],
    ["a session cookie without TLS", "parquetry-session=abc.def;", "parquetry-session=[redacted];"],
    ["a sealed token", `token was ${JWT}`, "token was [redacted]"],
    ["a payment provider's keys", "sk_live_51Hxyz whsec_abc+/= pk_test_1", "[redacted] [redacted] [redacted]"],
    ["a password's hash", "row $argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA end", "row [redacted] end"],
    ["a field of JSON", '{"newPassword":"a \\"b\\" c","n":1}', '{"newPassword":"[redacted]","n":1}'],
    ["a field of a printed object", "{ password: 'hunter2', n: 1 }", "{ password: '[redacted]', n: 1 }"],
    [
      "a field of an object printed into JSON",
      '{"msg":"{ api_key: \\"hunter2\\" }"}',
      `{"msg":"{ api_key: '[redacted]' }"}`,
    ],
  ])("%s", (_what, text, left) => {
    expect(redact(text)).toBe(left);
  });

  test("secrets of the service itself, in every spelling", () => {
    const secret = keepFromLogs('q"u/o\\t+e&s=');
    for (const spelling of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
      expect(redact(`<${spelling}>`)).toBe("<[redacted]>");
    keepFromLogs("short");
    expect(redact("in short")).toBe("in short");
  });

  test("every setting with a secret's name, and every password in a URL", () => {
    const sealing = Buffer.alloc(32, 1).toString("base64");
    const settings = readSettings({
      PARQUETRY_SECRET: "s".repeat(40),
      PARQUETRY_SECRETS_KEYS: `january:${sealing},february:${Buffer.alloc(32, 2).toString("base64")}`,
      DATABASE_URL: "postgresql://me:data%21base@db/x",
      REDIS_URL: "redis://:cachepass@cache",
      SMTP_URL: "smtps://me:mailpass@mail",
      GITHUB_CLIENT_ID: "id",
      GITHUB_CLIENT_SECRET: "githubsecret",
      OIDC_PROVIDERS: "acme",
      OIDC_ACME_ISSUER: "https://login.example.com",
      OIDC_ACME_CLIENT_ID: "id",
      OIDC_ACME_CLIENT_SECRET: "oidcsecret",
    });
    const found = secretSettings(settings);
    const written = ["data%21base", "data!base", "cachepass", "mailpass", "githubsecret", "oidcsecret"];
    for (const secret of ["s".repeat(40), sealing, ...written]) expect(found).toContain(secret);
    expect(found).not.toContain("january");
    const named = Object.keys(SETTINGS.shape).filter((name) => /SECRET|PASSWORD|TOKEN/.test(name));
    expect(named.length).toBeGreaterThan(5);
  });
});

describe("logs keep", () => {
  test.each([
    '{"level":30,"time":1,"pid":1,"hostname":"h","request_id":"req_abc","method":"GET","path":"/api/v2/public/datasets","status":200,"ms":1.5,"msg":"request"}',
    "at answer (/srv/app/lib/http/serve.ts:61:3)",
    "at file:///srv/node_modules/@duckdb/node-api/lib/index.js:10:5",
    "Is it there? Yes, at /datasets.",
    "a token is missing; the password is wrong; basic understanding",
    "https://example.org/@scope/page",
    "svc_use_…",
    "the key ring has 2 keys",
  ])("%s is unchanged", (text) => {
    expect(redact(text)).toBe(text);
  });
});

// Measures processor time, which other work on the machine does not lengthen: linear takes some milliseconds here,
// quadratic many seconds.
test("any text that a client can choose takes linear time", () => {
  const pieces = [
    "/",
    "a/",
    "a-",
    "?",
    "/?",
    "a?=",
    "svc_use_",
    "eyJ-",
    "eyJa.",
    "parquetry-",
    "__Host-",
    "#token",
    "token ",
    "token:'",
    'token\\"',
    '"token":"',
    "bearer ",
    "://",
    "a://",
    "@",
    "sk_live_",
    "'",
    '"',
    "\\",
    "`",
    "=",
    "password=",
  ];
  const texts = pieces.flatMap((piece) => {
    const repeated = (length: number) => piece.repeat(Math.ceil(length / piece.length));
    return [[piece, repeated] as const, [`"${piece}`, (length: number) => `"${repeated(length)}`] as const];
  });
  expect(superlinear(redact, Object.fromEntries(texts))).toEqual([]);
});
