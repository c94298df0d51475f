import { resolve } from "node:path";
import { z } from "zod";
import { CONTACT_SETTINGS } from "./contact-settings";
import { processWide } from "./process-wide";
import { bytes, days, JOB_SECONDS_MAX, seconds, whole } from "./setting-numbers";
import { withoutEnd } from "./trim-signs";

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

/**
 * THE settings. Each is read from the environment variable of the same name; `.env.example` is generated from the
 * descriptions.
 */
export const SETTINGS = z.object({
  PORT: whole(3000, 0).describe("Port to listen on."),
  HOST: z.string().default("0.0.0.0").describe("Address to listen on."),
  PARQUETRY_BASE_URL: z
    .url()
    .transform((url) => withoutEnd(url, "/"))
    .optional()
    .describe("Public URL of the service, without a trailing slash; defaults to http://localhost:PORT."),
  PARQUETRY_API_BASE_URL: z
    .url()
    .transform((url) => withoutEnd(url, "/"))
    .optional()
    .describe(
      "Public URL of a host for the hosted table API alone, without a trailing slash; by default it is only at " +
        "PARQUETRY_BASE_URL, where it always is too.",
    ),
  ...CONTACT_SETTINGS,
  PARQUETRY_DATA_DIR: z
    .string()
    .default(".data")
    .transform((path) => resolve(path))
    .refine((path) => !/[*?[\]{}]/.test(path), "The folder's path contains one of * ? [ ] { }: choose another name.")
    .describe("Folder for all state: database, Parquet files, read copies, generated secrets."),
  EMBEDDED_POSTGRES_SYNC: z
    .stringbool()
    .default(true)
    .describe(
      "Whether the embedded database waits for each change to reach the disk; false only for data that may be lost " +
        "in a power cut, such as a test's.",
    ),
  PARQUETRY_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe(
      "Secret for key hashes, cursors and sessions, at least 32 characters; generated in the data folder by default.",
    ),
  PARQUETRY_SECRETS_KEYS: z
    .string()
    .regex(
      SEALING_KEYS,
      "Expected comma-separated name:key pairs, each key 32 bytes in base64, such as k1:$(openssl rand -base64 32).",
    )
    .optional()
    .describe(
      "Keys that encrypt source credentials: name:base64 of 32 bytes, comma-separated, current key first; " +
        "generated in the data folder by default.",
    ),
  PARQUETRY_SHOWCASE: z
    .stringbool()
    .default(true)
    .describe("Fill an empty catalogue with the showcase datasets on first start."),
  PARQUETRY_DESIGN_PAGE: z
    .stringbool()
    .default(false)
    .describe("Serve /design, the gallery of interface components; always on under `next dev`."),
  PARQUETRY_TRUSTED_PROXIES: list.describe(
    "Comma-separated IP addresses or CIDR blocks of proxies whose X-Forwarded-For header is trusted.",
  ),
  PARQUETRY_LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("Log level."),
  SMTP_URL: z
    .string()
    .optional()
    .describe(
      "SMTP server, such as smtps://user:password@mail.example.com; without it, `parquetry user link` prints " +
        "sign-in links.",
    ),
  MAIL_FROM: z.string().default("Parquetry <parquetry@localhost>").describe("Sender of emails."),
  GITHUB_CLIENT_ID: z.string().optional().describe("Sign-in with GitHub: client ID of the OAuth app."),
  GITHUB_CLIENT_SECRET: z.string().optional().describe("Sign-in with GitHub: client secret of the OAuth app."),
  GITHUB_ENTERPRISE_URL: z.url().optional().describe("URL of a GitHub Enterprise Server to use instead of github.com."),
  GOOGLE_CLIENT_ID: z.string().optional().describe("Sign-in with Google: OAuth client ID."),
  GOOGLE_CLIENT_SECRET: z.string().optional().describe("Sign-in with Google: OAuth client secret."),
  DATABASE_URL: z
    .string()
    .optional()
    .describe("PostgreSQL 15 or newer; an embedded server in the data folder by default."),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .optional()
    .describe(
      "Redis 6 or newer for rate limits shared by all instances; by default PostgreSQL counts queries, and " +
        "metadata requests are counted in memory.",
    ),
  REDIS_TIMEOUT_MS: whole(1000).describe("How long a request waits for Redis, in milliseconds."),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^\S+$/)
    .optional()
    .describe("Secret key of the Stripe account that sells the paid plan; without it, plans are set by command only."),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^\S+$/)
    .optional()
    .describe("Signing secret of the Stripe webhook /api/stripe/webhook; required with STRIPE_SECRET_KEY."),
  STRIPE_PRICE_ID: z
    .string()
    .regex(/^\S+$/)
    .optional()
    .describe("Recurring Stripe price of the paid plan; required with STRIPE_SECRET_KEY."),
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Alternative URL of the Stripe API, for tests."),
  QUERIES_AT_ONCE: whole(0, 0).describe("Queries that run concurrently; 0 means two per core, at most 8."),
  QUERY_QUEUE_MS: whole(2000, 0).describe(
    "How long a query waits for a slot, in milliseconds; each query by up to 25 % less or more, at random.",
  ),
  QUERY_TIMEOUT_MS: whole(15_000).describe("Execution time limit of a query, in milliseconds."),
  QUERY_THREADS: whole(0, 0).describe("Threads of the query engine; 0 means one per core."),
  QUERY_MEMORY_MB: whole(2048).describe(
    "Memory limit of the query engine, in MiB; medians use up to half as much in addition.",
  ),
  QUERY_TEMP_MB: whole(4096, 0).describe("Disk space that the query engine may spill to, in MiB."),
  READ_COPIES_MB: whole(20_480, 0).describe(
    "Disk space for read copies, in MiB; 0 queries the Parquet files directly.",
  ),
  RESULT_CACHE_MB: whole(256, 0).describe(
    "Memory for the rows of recent queries, in MiB, kept because versions never change; 0 keeps none.",
  ),
  PAGE_CACHE_MB: whole(64, 0).describe(
    "Memory for public pages, in MiB, kept compressed for seconds or until something that they show changes; 0 keeps " +
      "none.",
  ),
  LIMIT_KEY_MINUTE: whole(60).describe("Queries per minute per use key."),
  LIMIT_KEY_DAY: whole(5000).describe("Queries per day per use key."),
  LIMIT_ADDRESS_MINUTE: whole(30).describe("Queries per minute per IP address without a key."),
  LIMIT_ADDRESS_DAY: whole(600).describe("Queries per day per IP address without a key."),
  LIMIT_DOWNLOAD_MINUTE: whole(60).describe("Downloads per minute per key."),
  LIMIT_DOWNLOAD_DAY: whole(2000).describe("Downloads per day per key."),
  LIMIT_FRESHNESS_MINUTE: whole(60).describe("Freshness requests of the hosted table API per minute per key."),
  LIMIT_CATALOGUE_MINUTE: whole(300).describe(
    "Metadata requests (catalogue, schema, preview) per minute per IP address.",
  ),
  LIMIT_ACCOUNT_MINUTE: whole(120).describe(
    "Requests per minute by a signed-in person to account pages and their API.",
  ),
  LIMIT_SIGN_IN_ACCOUNT_MINUTE: whole(10).describe(
    "Attempts per minute per account to sign in or to enter a device code.",
  ),
  LIMIT_SIGN_IN_ACCOUNT_DAY: whole(100).describe("Attempts per day per account to sign in or to enter a device code."),
  LIMIT_SIGN_IN_ADDRESS_MINUTE: whole(20).describe(
    "Attempts per minute per IP address for sign-in, device login and device codes (counted separately).",
  ),
  LIMIT_SIGN_IN_ADDRESS_DAY: whole(300).describe(
    "Daily attempts per IP address for sign-in, device login and device codes (counted separately).",
  ),
  LIMIT_SIGN_UP_ADDRESS_MINUTE: whole(5).describe("Sign-ups and requested emails per minute per IP address."),
  LIMIT_SIGN_UP_ADDRESS_DAY: whole(50).describe("Sign-ups and requested emails per day per IP address."),
  LIMIT_REGISTRATION_ADDRESS_MINUTE: whole(20).describe(
    "OAuth client registrations and client metadata look-ups per minute per IP address.",
  ),
  LIMIT_REGISTRATION_ADDRESS_DAY: whole(500).describe(
    "OAuth client registrations and client metadata look-ups per day per IP address.",
  ),
  LIMIT_TOKEN_CLIENT_MINUTE: whole(3000).describe("Token exchanges of one OAuth client per minute."),
  LIMIT_PAGE_MINUTE: whole(600).describe("Pages per minute per IP address."),
  REPLY_MEMORY_MB: whole(256).describe(
    "Memory for replies that clients are still receiving, in MiB; beyond it requests get 503 busy.",
  ),
  REPLY_MEMORY_CALLER_MB: whole(32, 16).describe("The same limit per IP address and per key or connection, in MiB."),
  REPLIES_PER_ADDRESS: whole(64).describe("Concurrent replies over 64 KiB per IP address."),
  REPLIES_PER_KEY: whole(8).describe("Concurrent replies over 64 KiB per key or connection."),
  READ_RATE_MIN: whole(32_768).describe(
    "Minimum average rate at which a client must receive a reply, in bytes per second, after the first minute.",
  ),
  CONNECTIONS_MAX: whole(4096).describe("Open connections; further ones are closed immediately."),
  CONNECTIONS_PER_ADDRESS: whole(1024).describe("Open connections per IP address, except for trusted proxies."),
  ROWS_KEY: whole(10_000).describe("Rows per page with a use key."),
  ROWS_ANONYMOUS: whole(100).describe("Rows per page without a key."),
  ROWS_CHART: whole(3000).describe("Marks of a chart without a key, as rows of its query."),
  BYTES_CHART: bytes(512 * 1024).describe("Bytes of a chart's reply without a key."),
  BYTES_KEY: bytes(8 * 1024 * 1024).describe("Bytes per page with a use key."),
  BYTES_ANONYMOUS: bytes(64 * 1024).describe("Bytes per page without a key."),
  CONNECTOR_ACCEPT_USE_KEYS: z
    .stringbool()
    .default(true)
    .describe("Accept use keys as bearer tokens on the connector (read-only)."),
  CONNECTOR_ALLOWED_ORIGINS: list.describe(
    "Comma-separated origins, besides the service's own, whose pages may call the connector, such as " +
      "http://localhost:6274.",
  ),
  WORKERS: whole(1, 0).describe("Worker processes that the server starts for runs; 0 means none."),
  WORKER_RUNS: whole(1).describe("Runs that one worker process executes concurrently."),
  BUILD_RUNS_AT_ONCE: whole(4).describe("Runs that execute concurrently, over all workers."),
  BUILD_RUNS_WORKSPACE: whole(2).describe("Runs of one workspace that execute concurrently."),
  BUILD_RUNS_DAY: whole(200).describe("Runs per day per workspace."),
  BUILD_INSPECTIONS_HOUR: whole(60).describe("Inspections of sources per hour per workspace."),
  BUILD_BYTES_DAY: bytes(20 * 1024 ** 3).describe("Bytes fetched from sources per day per workspace."),
  BUILD_DATASETS: whole(50).describe("Built datasets per workspace."),
  BUILD_MEMORY_MB: whole(768, 128).describe(
    "Memory of a run's own query engine, in MiB; its process may use 512 more.",
  ),
  BUILD_MEMORY_RETRY_MB: whole(1536, 0).describe(
    "Memory of the retry of a refresh that ran out of BUILD_MEMORY_MB, in MiB. Set it to 0 for no retry.",
  ),
  BUILD_DISK_MB: whole(16_384, 64).describe("Disk space of one run, in MiB."),
  BUILD_SECONDS_SAMPLE: seconds(120).describe("Time limit of a sample, in seconds."),
  BUILD_SECONDS_FULL: whole(3600, 1, JOB_SECONDS_MAX).describe("Time limit of a full run, in seconds."),
  BUILD_ROWS_MAX: whole(50_000_000).describe("Rows of one built table."),
  SOURCE_BYTES: bytes(2 * 1024 ** 3).describe("Bytes read from one source in one run."),
  SOURCE_BYTES_SAMPLE: bytes(64 * 1024 ** 2).describe("Bytes read from one source in a sample."),
  SOURCE_SECONDS: seconds(1200).describe("Time limit for reading one source, in seconds."),
  SOURCE_PORTS: z
    .string()
    .regex(/^[0-9]{1,5}(?:,[0-9]{1,5})*$/, "Expected comma-separated port numbers.")
    .default("80,443,8080,8443")
    .transform((text) => text.split(",").map(Number))
    .describe("Comma-separated ports that sources may be read from."),
  SOURCE_PRIVATE_HOSTS: list.describe(
    "Comma-separated host:port names inside the network that sources may be read from; none by default.",
  ),
  PACKAGE_REGISTRY: z
    .url()
    .transform((url) => withoutEnd(url, "/"))
    .optional()
    .describe("URL of the npm registry that sources of kind package are read from; none by default."),
  SNAPSHOT_MB: whole(51_200, 0).describe("Disk space for stored source bytes per workspace, in MiB."),
  SNAPSHOT_DAYS: days(30).describe("Days that stored source bytes are kept, unless an approved recipe needs them."),
  ARTIFACT_DAYS: days(14).describe("Days that a run's artifacts are kept."),
  SAMPLE_DAYS: days(7).describe("Days that a sample waits for approval and can be queried."),
  APPROVAL_DAYS: days(7).describe("Days that a request for approval remains open."),
  UPLOAD_BYTES: bytes(1024 ** 3).describe("Largest file that can be uploaded as a source, in bytes."),
  UPLOADS_BYTES_WORKSPACE: bytes(10 * 1024 ** 3).describe("Bytes of a workspace's uploads, each file counted once."),
  UPLOAD_DAYS: days(30).describe("Days that an upload is kept that no run has read."),
  REFRESH_MIN_MINUTES: whole(15).describe("Shortest interval between refreshes, in minutes."),
  STORAGE_SECONDS: seconds(60).describe(
    "Time limit for opening and verifying a stored file, in seconds; downloads reply 504 beyond it.",
  ),
  ARTIFACT_BYTES: bytes(1024 * 1024 * 1024).describe("Largest file that can be downloaded whole, in bytes."),
});

/** Adds the rules between settings. */
const WHOLE_SETTINGS = SETTINGS.superRefine((settings, ctx) => {
  if (settings.STRIPE_SECRET_KEY === undefined) return;
  for (const name of ["STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE_ID"] as const)
    if (settings[name] === undefined)
      ctx.addIssue({ code: "custom", path: [name], message: "required with STRIPE_SECRET_KEY" });
});

export type Settings = z.output<typeof SETTINGS>;

/** The settings of this process; empty strings count as absent. Throws one message that names every invalid setting. */
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
  throw new Error(`Invalid settings:\n${lines.join("\n")}`);
}

/** Whether the gallery of interface components is served. */
export const designPageShown = (): boolean => env().PARQUETRY_DESIGN_PAGE || process.env.NODE_ENV === "development";

/** The public URL of the hosted table API, without a trailing slash. */
export const apiBaseUrl = (settings: Settings = env()): string => settings.PARQUETRY_API_BASE_URL ?? baseUrl(settings);

/** The public URL of the service, without a trailing slash. */
export function baseUrl(settings: Settings = env()): string {
  return settings.PARQUETRY_BASE_URL ?? `http://localhost:${settings.PORT}`;
}
