import { describe, expect, test } from "vitest";
import { newSecretSchema, SECRET_BYTES_MAX, secretHostsSchema, secretValueSchema } from "./secret";

const header = (field: string, value = "v") => ({ kind: "header", field, value });
const bearer = (token: string) => ({ kind: "bearer", token });
const basic = (username: string, password = "") => ({ kind: "basic", username, password });
const query = (field: string, value = "v") => ({ kind: "query", field, value });
const s3 = (more: Record<string, string> = {}) => ({
  kind: "s3",
  access_key_id: "AKIA",
  secret_access_key: "s/+=",
  ...more,
});

describe("accepted", () => {
  test.each([
    header("X-Api-Key"),
    header("Authorization", "ApiKey id:secret"),
    header("x!#$%&'*+.^_`|~-9"),
    header("X-Long", "v".repeat(SECRET_BYTES_MAX)),
    bearer("1|abc.def-ghi_~+/="),
    basic("key"),
    basic("user", "pässwörd with blanks 🔑"),
    query("api_key", "a value & more"),
    query("filter[key]"),
    s3(),
    s3({ session_token: "t", region: "eu-west-1", endpoint: "https://minio.example.com:9000/base" }),
  ])("%j", (value) => expect(secretValueSchema.parse(value)).toEqual(value));
});

describe("rejected, without revealing the value", () => {
  const rejected: [value: Record<string, unknown>, reason: RegExp][] = [
    ...["Host", "content-length", "Content-Type", "Range", "If-None-Match", "Accept-Encoding", "Expect"].map(
      (name): [object & Record<string, unknown>, RegExp] => [header(name, "VALUE"), /the source reader sets it/],
    ),
    ...[
      "Connection",
      "Keep-Alive",
      "TE",
      "Trailer",
      "Transfer-Encoding",
      "Upgrade",
      "Proxy-Authorization",
      "Proxy-Connection",
    ].map((name): [Record<string, unknown>, RegExp] => [header(name, "VALUE"), /applies to a single connection/]),
    ...["Cookie", "Set-Cookie"].map((name): [Record<string, unknown>, RegExp] => [
      header(name, "VALUE"),
      /cookies are for browsers/,
    ]),
    ...["", "X Key", "X:Key", "X\nKey", "Schlüssel", "(x)", "x".repeat(101)].map(
      (name): [Record<string, unknown>, RegExp] => [header(name, "VALUE"), /HTTP header name/],
    ),
    ...["VALUE\n", "VALUE\r\nX-Other: 1", "VALUE\u0000", "VALUE\u007f", "VALUE\u0085"].map(
      (value): [Record<string, unknown>, RegExp] => [header("X-Key", value), /control characters/],
    ),
    ...[" VALUE", "VALUE ", "VALÜE"].map((value): [Record<string, unknown>, RegExp] => [
      header("X-Key", value),
      /printable ASCII/,
    ]),
    [header("X-Key", "V".repeat(SECRET_BYTES_MAX + 1)), /at most 8 KiB/],
    [basic("user", "é".repeat(SECRET_BYTES_MAX / 2 + 1)), /at most 8 KiB/],
    [basic("user", "VALUE\ud800"), /control characters/],
    [header("X-Key", ""), /at least one/],
    [bearer("VALUE VALUE"), /without spaces/],
    [bearer(""), /without spaces/],
    [basic("user:VALUE", "p"), /not contain a colon/],
    [basic("", "VALUE"), /user name/],
    [query("a b", "VALUE"), /query parameter/],
    [query("a&b", "VALUE"), /query parameter/],
    [s3({ region: "eu west" }), /region/],
    [s3({ endpoint: "ftp://example.com" }), /https:\/\//],
    [s3({ endpoint: "https://user:VALUE@example.com" }), /Remove user names/],
    [s3({ endpoint: "https://example.com/?a=VALUE" }), /Remove user names/],
    [{ ...bearer("VALUE"), more: 1 }, /Unrecognized/],
    [{ kind: "bearer" }, /expected string/],
    [{ kind: "other", token: "VALUE" }, /kind set to one of/],
    [{ kind: "bearer", token: 5 }, /expected string/],
  ];

  test.each(rejected)("%j", (value, reason) => {
    const { error } = secretValueSchema.safeParse(value);
    expect(error?.message).toMatch(reason);
    expect(error?.message).not.toMatch(/VAL|VVV/);
  });
});

test.each(["a", "a-b_c9", `a${"b".repeat(62)}`])("a secret may be named %s", (name) => {
  expect(newSecretSchema.parse({ ...bearer("t"), name })).toMatchObject({ name });
});

test.each(["", "A", "9a", "-a", "a b", "a.b", "ä", "a\n", `a${"b".repeat(63)}`, "__proto__"])(
  "a secret may not be named %j",
  (name) => {
    expect(newSecretSchema.safeParse({ ...bearer("t"), name }).success).toBe(false);
  },
);

describe("hosts of a credential", () => {
  test("are names and suffixes, in lower case", () => {
    const hosts = ["API.example.org", "*.example.org", "127.0.0.1"];
    expect(secretHostsSchema.parse({ hosts })).toEqual({ hosts: ["api.example.org", "*.example.org", "127.0.0.1"] });
    expect(secretHostsSchema.parse({ hosts: [] })).toEqual({ hosts: [] });
  });

  test.each([
    "*",
    "*.org",
    "org",
    "https://a.example",
    "a.example/x",
    "a.example:8443",
    "a b.example",
    "*.*.example.org",
  ])("%s is not a host", (host) => expect(secretHostsSchema.safeParse({ hosts: [host] }).success).toBe(false));
});
