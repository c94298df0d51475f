import { z } from "zod";
import { timestampSchema } from "./timestamp";

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

const HOP_BY_HOP = "it applies to a single connection";

const MESSAGE = "the source reader sets it";

const COOKIE = "cookies are for browsers; use an API key for the source";

/** Headers that no credential may be sent in, each with the reason for people. */
const REJECTED: ReadonlyMap<string, string> = new Map([
  ...["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"].map(
    (name) => [name, HOP_BY_HOP] as const,
  ),
  ...["accept-encoding", "content-encoding", "content-length", "content-type", "expect", "host", "range"].map(
    (name) => [name, MESSAGE] as const,
  ),
  ...["cookie", "cookie2", "set-cookie"].map((name) => [name, COOKIE] as const),
]);

/** Name of a header that a source credential may be sent in. */
export const headerNameSchema = z
  .string()
  .regex(TOKEN, "Use an HTTP header name of at most 100 characters, such as X-Api-Key.")
  .superRefine((name, ctx) => {
    const reason = reasonAgainst(name.toLowerCase());
    if (reason)
      ctx.addIssue({
        code: "custom",
        message: `Header not allowed: ${name}. Credentials cannot be sent in it because ${reason}.`,
      });
  });

function reasonAgainst(name: string): string | undefined {
  if (name.startsWith("proxy-")) return HOP_BY_HOP;
  return name.startsWith("if-") ? MESSAGE : REJECTED.get(name);
}

export const SECRET_BYTES_MAX = 8 * 1024;

/** Maximum number of source credentials per workspace. */
export const SECRETS_MAX = 100;

/** Control characters, and unpaired surrogates, which UTF-8 cannot encode. */
const hasControl = (text: string) => /[\p{Cc}\p{Cs}]/u.test(text);
const bounded = (text: string) => Buffer.byteLength(text) <= SECRET_BYTES_MAX;

const text = z
  .string()
  .refine(bounded, "Send at most 8 KiB.")
  .refine((value) => !hasControl(value), "Do not send control characters, such as line breaks.");

/** Valid header values: RFC 9110, section 5.5, without the obsolete bytes. */
const headerText = text
  .min(1, "Send at least one character.")
  .regex(/^[!-~](?:[ -~]*[!-~])?$/, "Use printable ASCII characters, with no leading or trailing spaces.");
const word = text.regex(/^[!-~]+$/, "Use printable ASCII characters without spaces.");

const parameterName = z
  .string()
  .regex(/^[A-Za-z0-9_.~$[\]-]{1,100}$/, "Use a query parameter name: at most 100 letters, digits and _ . ~ $ [ ] -.");

const endpoint = z
  .url({ protocol: /^https?$/, error: "Use a URL that starts with https:// or http://." })
  .max(500)
  .refine((address) => !/[@?#]/.test(address), "Remove user names, query parameters and fragments from the URL.");

/** The fields of a credential of each kind. */
const FIELDS = {
  header: z.strictObject({ kind: z.literal("header"), field: headerNameSchema, value: headerText }),
  bearer: z.strictObject({ kind: z.literal("bearer"), token: word }),
  basic: z.strictObject({
    kind: z.literal("basic"),
    username: text
      .min(1, "Send a user name.")
      .refine((name) => !name.includes(":"), "A user name must not contain a colon (RFC 7617)."),
    password: text.describe("May be empty for sources that use the key as the user name."),
  }),
  query: z.strictObject({
    kind: z.literal("query"),
    field: parameterName,
    value: text.min(1, "Send at least one character."),
  }),
  s3: z.strictObject({
    kind: z.literal("s3"),
    access_key_id: word.max(200),
    secret_access_key: word,
    session_token: word.optional(),
    region: z
      .string()
      .regex(/^[a-z0-9-]{1,64}$/, "Use a region name, such as eu-west-1.")
      .optional(),
    endpoint: endpoint.optional().describe("For S3-compatible storage other than Amazon's."),
  }),
} as const;

export const SECRET_KINDS = ["header", "bearer", "basic", "query", "s3"] as const;

const KIND = `Send an object with kind set to one of ${SECRET_KINDS.join(", ")}.`;

export const secretNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,62}$/, "Use a lowercase letter followed by at most 62 of a-z, 0-9, _ and -.")
  .describe("The name used in recipes.");

/** The plain value of a credential, with its kind. It is accepted and never returned. */
export const secretValueSchema = z.discriminatedUnion(
  "kind",
  [FIELDS.header, FIELDS.bearer, FIELDS.basic, FIELDS.query, FIELDS.s3],
  { error: KIND },
);

const name = secretNameSchema;

export const newSecretSchema = z.discriminatedUnion(
  "kind",
  [
    FIELDS.header.extend({ name }),
    FIELDS.bearer.extend({ name }),
    FIELDS.basic.extend({ name }),
    FIELDS.query.extend({ name }),
    FIELDS.s3.extend({ name }),
  ],
  { error: KIND },
);

const HOST = /^(?:\*\.)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,9}$/;

const hostSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(HOST, "Use a host name such as api.example.org, or *.example.org for all below it.")
  // a suffix of one label, such as *.org, would allow everybody
  .refine((host) => !host.startsWith("*.") || host.split(".").length > 2, "Use a suffix of at least two labels.");

export const SECRET_HOSTS_MAX = 20;

/** Where a credential may be sent. */
export const secretHostsSchema = z.strictObject({
  hosts: z.array(hostSchema).max(SECRET_HOSTS_MAX).describe("Host names, or *.suffix; with an empty list, nowhere."),
});

/** The displayable part of a credential. */
export const secretSchema = z
  .strictObject({
    name: secretNameSchema,
    kind: z.enum(SECRET_KINDS),
    field: z.string().nullable().describe("The header or query parameter that carries it; null for other kinds."),
    hosts: z.array(z.string()).describe("Where it may be sent: host names, or *.suffix; nowhere if empty."),
    created_at: timestampSchema,
    created_by: z.string().nullable().describe("Email address; null if the account was deleted."),
    replaced_at: timestampSchema.nullable(),
    last_used_at: timestampSchema.nullable(),
    last_used_by: z.string().nullable().describe("The recipe that last used it."),
  })
  .meta({ id: "SourceCredential" });

export const secretsSchema = z
  .object({ schema_version: z.literal("service-secrets.v1"), secrets: z.array(secretSchema) })
  .meta({ id: "SourceCredentials" });

export type SecretKind = (typeof SECRET_KINDS)[number];
export type SecretValue = z.output<typeof secretValueSchema>;
export type NewSecret = z.output<typeof newSecretSchema>;
export type Secret = z.output<typeof secretSchema>;
export type Secrets = z.output<typeof secretsSchema>;

/** The result of one request with a credential. */
export const secretTrialSchema = z.strictObject({
  verdict: z.enum(["accepted", "rejected", "unclear", "unreachable"]),
  address: z.url(),
  status: z.int().nullable().describe("Null if there was no reply."),
  words: z.string(),
});
export type SecretTrial = z.output<typeof secretTrialSchema>;
