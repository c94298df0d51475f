import { resolve } from "node:path";
import { z } from "zod";
import { processWide } from "./process-wide";

const whole = (fallback: number, min = 1) => z.coerce.number().int().min(min).default(fallback);
const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean),
  );

const SEALING_KEY = "[A-Za-z0-9_-]{1,64}:[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=";
const SEALING_KEYS = new RegExp(`^\\s*${SEALING_KEY}\\s*(?:,\\s*${SEALING_KEY}\\s*)*$`);

/** THE settings. Each is read from the environment under its own name; `.env.example` is made from the descriptions. */
export const SETTINGS = z.object({
  PORT: whole(3000, 0).describe("Port to listen on."),
  HOST: z.string().default("0.0.0.0").describe("Address to listen on."),
  PARQUETRY_BASE_URL: z
    .url()
    .transform((url) => url.replace(/\/+$/, ""))
    .optional()
    .describe("Public address of the service, without a trailing slash; http://localhost:PORT when absent."),
  PARQUETRY_CONTACT: z
    .string()
    .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]\S*)$/, "Give a mailto: or https: address.")
    .optional()
    .describe(
      "Whom to tell of a vulnerability, a mailto: or https: address; /.well-known/security.txt is not found " +
        "when absent.",
    ),
  PARQUETRY_DATA_DIR: z
    .string()
    .default(".data")
    .transform((path) => resolve(path))
    .describe("Folder of all state: database, blobs, read copies, secret."),
  PARQUETRY_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe("Secret for key hashes and cursors, at least 32 characters; made once in the data folder when absent."),
  PARQUETRY_SECRETS_KEYS: z
    .string()
    .regex(
      SEALING_KEYS,
      "Give name:key pairs separated by commas, each key 32 bytes in base64, such as k1:$(openssl rand -base64 32).",
    )
    .optional()
    .describe(
      "Keys that seal source credentials, name:base64 of 32 bytes, separated by commas, the current one first; " +
        "made once in the data folder when absent.",
    ),
  PARQUETRY_SHOWCASE: z
    .stringbool()
    .default(true)
    .describe("Fill an empty catalogue with the showcase data at the first start."),
  PARQUETRY_DESIGN_PAGE: z
    .stringbool()
    .default(false)
    .describe("Serve /design, all that pages are made of; `next dev` always does."),
  PARQUETRY_TRUSTED_PROXIES: list.describe(
    "Comma-separated addresses or CIDR blocks of proxies whose X-Forwarded-For is believed.",
  ),
  PARQUETRY_LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("How much is logged."),
  SMTP_URL: z
    .string()
    .optional()
    .describe(
      "Mail server, such as smtps://user:password@mail.example.com; without it links are printed by the " +
        "operator's command.",
    ),
  MAIL_FROM: z.string().default("Parquetry <parquetry@localhost>").describe("Sender of mails."),
  GITHUB_CLIENT_ID: z.string().optional().describe("Sign-in with GitHub: the OAuth app's client id."),
  GITHUB_CLIENT_SECRET: z.string().optional().describe("Sign-in with GitHub: the OAuth app's secret."),
  GITHUB_ENTERPRISE_URL: z
    .url()
    .optional()
    .describe("Address of a GitHub Enterprise Server to sign in with instead of github.com."),
  GOOGLE_CLIENT_ID: z.string().optional().describe("Sign-in with Google: the OAuth client's id."),
  GOOGLE_CLIENT_SECRET: z.string().optional().describe("Sign-in with Google: the OAuth client's secret."),
  DATABASE_URL: z
    .string()
    .optional()
    .describe("PostgreSQL 15 or newer; an embedded one in the data folder when absent."),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .optional()
    .describe(
      "Redis 6 or newer that counts for all instances together; PostgreSQL counts when absent, and light reads " +
        "are counted in memory.",
    ),
  REDIS_TIMEOUT_MS: whole(1000).describe("How long a request waits for Redis, in milliseconds."),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^\S+$/)
    .optional()
    .describe(
      "Secret key of a Stripe account, which then sells the paid plan; plans are set by command alone when absent.",
    ),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^\S+$/)
    .optional()
    .describe("Signing secret of the Stripe webhook endpoint /api/stripe/webhook; needed with STRIPE_SECRET_KEY."),
  STRIPE_PRICE_ID: z
    .string()
    .regex(/^\S+$/)
    .optional()
    .describe("Recurring Stripe price of the paid plan; needed with STRIPE_SECRET_KEY."),
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Another address of Stripe's API, for tests against a stand-in."),
  QUERIES_AT_ONCE: whole(0, 0).describe("Queries that execute at the same time; 0 for two a core, at most 8."),
  QUERY_QUEUE_MS: whole(2000, 0).describe("How long a query waits for a slot, in milliseconds."),
  QUERY_TIMEOUT_MS: whole(15_000).describe("Execution time of a query, in milliseconds."),
  QUERY_THREADS: whole(0, 0).describe("Threads of the query engine; 0 for one a core."),
  QUERY_MEMORY_MB: whole(2048).describe("Memory of the query engine, in MiB."),
  QUERY_TEMP_MB: whole(4096, 0).describe("Disk that the query engine may spill to, in MiB."),
  READ_COPIES_MB: whole(20_480, 0).describe("Disk for read copies, in MiB; 0 queries the Parquet alone."),
  LIMIT_KEY_MINUTE: whole(60).describe("Queries a minute for a use key."),
  LIMIT_KEY_DAY: whole(5000).describe("Queries a day for a use key."),
  LIMIT_ADDRESS_MINUTE: whole(30).describe("Queries a minute for an address without a key."),
  LIMIT_ADDRESS_DAY: whole(600).describe("Queries a day for an address without a key."),
  LIMIT_DOWNLOAD_MINUTE: whole(60).describe("Downloads a minute for a key."),
  LIMIT_DOWNLOAD_DAY: whole(2000).describe("Downloads a day for a key."),
  LIMIT_CATALOGUE_MINUTE: whole(300).describe("Catalogue, schema, preview and metadata reads a minute for an address."),
  LIMIT_ACCOUNT_MINUTE: whole(120).describe(
    "Requests a minute of a signed-in person to the account's own pages and API.",
  ),
  LIMIT_SIGN_IN_ACCOUNT_MINUTE: whole(10).describe(
    "Attempts a minute to sign in to one account, and devices' codes that a person may try.",
  ),
  LIMIT_SIGN_IN_ACCOUNT_DAY: whole(100).describe(
    "Attempts a day to sign in to one account, and devices' codes that a person may try.",
  ),
  LIMIT_SIGN_IN_ADDRESS_MINUTE: whole(20).describe(
    "Attempts a minute from one address to sign in, to begin with a device, and to type its code: each counted apart.",
  ),
  LIMIT_SIGN_IN_ADDRESS_DAY: whole(300).describe(
    "Attempts a day from one address to sign in, to begin with a device, and to type its code: each counted apart.",
  ),
  LIMIT_SIGN_UP_ADDRESS_MINUTE: whole(5).describe("Accounts made, and mails asked for, a minute from one address."),
  LIMIT_SIGN_UP_ADDRESS_DAY: whole(50).describe("Accounts made, and mails asked for, a day from one address."),
  LIMIT_REGISTRATION_ADDRESS_MINUTE: whole(20).describe(
    "Agents' programs registered, and their documents asked for, a minute from one address.",
  ),
  LIMIT_REGISTRATION_ADDRESS_DAY: whole(500).describe(
    "Agents' programs registered, and their documents asked for, a day from one address.",
  ),
  LIMIT_PAGE_MINUTE: whole(600).describe("Pages a minute for an address."),
  REPLY_MEMORY_MB: whole(256).describe("Memory of replies that clients are still reading, in MiB; beyond it 503 busy."),
  REPLY_MEMORY_CALLER_MB: whole(32, 16).describe("The same for one address, and for one key or connection, in MiB."),
  REPLIES_PER_ADDRESS: whole(64).describe("Replies over 64 KiB that one address may be reading at the same time."),
  REPLIES_PER_KEY: whole(8).describe("Replies over 64 KiB that one key or connection may be reading at the same time."),
  READ_RATE_MIN: whole(32_768).describe(
    "Slowest average at which a client may read a reply, in bytes per second, after a minute's grace.",
  ),
  CONNECTIONS_MAX: whole(4096).describe("Open connections; more are closed as they arrive."),
  CONNECTIONS_PER_ADDRESS: whole(1024).describe("Open connections of one address that is no trusted proxy."),
  ROWS_KEY: whole(10_000).describe("Rows a page for a use key."),
  ROWS_ANONYMOUS: whole(100).describe("Rows a page without a key."),
  BYTES_KEY: whole(8 * 1024 * 1024).describe("Bytes a page for a use key."),
  BYTES_ANONYMOUS: whole(64 * 1024).describe("Bytes a page without a key."),
  CONNECTOR_ACCEPT_USE_KEYS: z
    .stringbool()
    .default(true)
    .describe("Whether agents may read through the connector with a use key as bearer token."),
  CONNECTOR_ALLOWED_ORIGINS: list.describe(
    "Comma-separated origins, besides the service's own, whose pages may call the connector, such as " +
      "http://localhost:6274.",
  ),
  ARTIFACT_BYTES: whole(1024 * 1024 * 1024).describe("Largest file that is downloaded whole, in bytes."),
});

/** With what one setting asks of another. */
const WHOLE_SETTINGS = SETTINGS.superRefine((settings, ctx) => {
  if (settings.STRIPE_SECRET_KEY === undefined) return;
  for (const name of ["STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE_ID"] as const)
    if (settings[name] === undefined)
      ctx.addIssue({ code: "custom", path: [name], message: "needed with STRIPE_SECRET_KEY" });
});

export type Settings = z.output<typeof SETTINGS>;

/** The settings of this process; empty strings count as absent. Throws one message that names every bad setting. */
export function env(): Settings {
  return processWide("settings", () => readSettings(process.env));
}

/** Reads settings from any source of variables. Pure. */
export function readSettings(variables: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = WHOLE_SETTINGS.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`Bad settings:\n${lines.join("\n")}`);
}

/** Whether the page of all components is to be seen: for who works on them. */
export const designPageShown = (): boolean => env().PARQUETRY_DESIGN_PAGE || process.env.NODE_ENV === "development";

/** The public address of the service, without a trailing slash. */
export function baseUrl(settings: Settings = env()): string {
  return settings.PARQUETRY_BASE_URL ?? `http://localhost:${settings.PORT}`;
}
