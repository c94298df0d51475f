import { resolve } from "node:path";
import { z } from "zod";
import { type OidcProvider, readOidcProviders } from "./oidc-settings";
import { processWide } from "./process-wide";
import { withoutEnd } from "./trim-signs";

/** What a timer of Node.js and an integer of PostgreSQL hold: a larger number would end every wait at once, or fail. */
const WHOLE_MAX = 2 ** 31 - 1;

const whole = (fallback: number, min = 1, max = WHOLE_MAX) =>
  z.coerce.number().int().min(min).max(max).default(fallback);

const seconds = (fallback: number) => whole(fallback, 1, Math.floor(WHOLE_MAX / 1000));

/** A hundred years, so that dates in the past and in the future remain ones that the database knows. */
const days = (fallback: number) => whole(fallback, 1, 36_500);

/** A job of the queue takes a day at most, with ten minutes around the run itself (`lib/store/runs/jobs.ts`). */
const JOB_SECONDS_MAX = 86_400 - 600;

const bytes = (fallback: number) => whole(fallback, 1, Number.MAX_SAFE_INTEGER);

/** Settings of what keeps state: PostgreSQL and, optionally, Redis and an object store. */
const STORE_SETTINGS = {
  DATABASE_URL: z
    .string()
    .optional()
    .describe("URL of a PostgreSQL database, version 15 or newer. By default, an embedded server in the data folder."),
  DATABASE_TIMEOUT_MS: whole(5000).describe(
    "Maximum time that a request waits for the database to reply to one statement, in milliseconds. A connection may " +
      "take twice as long, a transaction three times.",
  ),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .optional()
    .describe(
      "URL of a Redis server, version 6 or newer, that counts rate limits for all instances together. By default, " +
        "limits that apply only per minute are counted in memory, and all others in PostgreSQL.",
    ),
  REDIS_TIMEOUT_MS: whole(5000).describe(
    "Maximum time to wait for a connection to Redis or a reply, in milliseconds. It includes the time that an " +
      "overloaded service takes to read a reply, so a shorter one rejects requests that Redis has answered.",
  ),
  S3_BUCKET: z
    .string()
    .optional()
    .describe(
      "Bucket of an S3 object store for Parquet files, uploads and what runs store. By default, they are in the data " +
        "folder. Credentials are those that the AWS SDK finds: the settings below, profiles or roles.",
    ),
  AWS_ACCESS_KEY_ID: z.string().optional().describe("Access key of the object store."),
  AWS_SECRET_ACCESS_KEY: z.string().optional().describe("Secret of the access key."),
  AWS_SESSION_TOKEN: z.string().optional().describe("Session token of temporary credentials."),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("URL of an object store other than Amazon S3. The bucket is then part of the path."),
  S3_REGION: z.string().default("us-east-1").describe("Region of the bucket."),
  S3_PREFIX: z
    .string()
    .regex(/^(?:[A-Za-z0-9._-]+\/)*$/, "Expected a path that ends with a slash.")
    .default("")
    .describe("Start of the names of all objects, such as parquetry/."),
  S3_CACHE_MB: whole(20_480).describe(
    "Maximum disk space for local copies of objects in each process, in MiB. Copies in use may exceed it.",
  ),
};

const contact = z
  .string()
  .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]\S*)$/, "Expected a mailto: or https: URL.")
  .optional();

const page = z.url({ protocol: /^https$/ }).optional();

/** Settings about the administrator: contacts, policies, and the proof of the host. */
const CONTACT_SETTINGS = {
  PARQUETRY_SUPPORT: contact.describe(
    "Contact for help and for questions about personal data: a mailto: or https: URL, shown in every page's footer.",
  ),
  PARQUETRY_PRIVACY_URL: page.describe("URL of the administrator's own privacy policy, linked from /docs/privacy."),
  PARQUETRY_TERMS_URL: page.describe(
    "URL of the administrator's terms of use, linked in the footer of every page and from sign-up.",
  ),
  PARQUETRY_ABOUT_URL: page.describe("URL of a page about the administrator, linked in the footer of every page."),
  PARQUETRY_CONTACT: contact.describe(
    "Contact for vulnerability reports: a mailto: or https: URL. Without it, /.well-known/security.txt is not served.",
  ),
  MCP_REGISTRY_AUTH: z
    .string()
    .regex(
      /^v=MCPv1; k=(?:ed25519|ecdsap384); p=[A-Za-z0-9+/]{40,200}={0,2}$/,
      "Expected the line that mcp-publisher prints, such as v=MCPv1; k=ed25519; p=….",
    )
    .optional()
    .describe(
      "Line with the public key that proves ownership of this host to the MCP Registry, served at " +
        "/.well-known/mcp-registry-auth. Without it, this file is not served.",
    ),
};

const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean),
  );

/** Shortest secret of a server, in characters. */
export const SECRET_LENGTH_MIN = 32;

const SEALING_KEY = "[A-Za-z0-9_-]{1,64}:[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=";
const SEALING_KEYS = new RegExp(`^\\s*${SEALING_KEY}\\s*(?:,\\s*${SEALING_KEY}\\s*)*$`);

/**
 * THE settings. Each is read from the environment variable of the same name. `.env.example` is generated from the
 * descriptions.
 */
export const SETTINGS = z.object({
  PORT: whole(3000, 0).describe("TCP port to listen on."),
  HOST: z.string().default("0.0.0.0").describe("IP address or host name to listen on."),
  PARQUETRY_BASE_URL: z
    .url()
    .transform((url) => withoutEnd(url, "/"))
    .optional()
    .describe("Public URL of the service, without a trailing slash. Defaults to http://localhost:PORT."),
  PARQUETRY_API_BASE_URL: z
    .url()
    .transform((url) => withoutEnd(url, "/"))
    .optional()
    .describe(
      "Public URL of a separate host that serves only the hosted table API, without a trailing slash. The API is " +
        "always available at PARQUETRY_BASE_URL too.",
    ),
  ...CONTACT_SETTINGS,
  PARQUETRY_DATA_DIR: z
    .string()
    .default(".data")
    .transform((path) => resolve(path))
    .refine((path) => !/[*?[\]{}]/.test(path), "The folder's path contains one of * ? [ ] { }. Choose another name.")
    .describe("Folder for all state: the embedded database, Parquet files, read copies and generated secrets."),
  EMBEDDED_POSTGRES_SYNC: z
    .stringbool()
    .default(true)
    .describe(
      "Whether the embedded database waits until each change is written to disk. Disable it only for data that may " +
        "be lost in a power failure, such as test data.",
    ),
  PARQUETRY_SECRET: z
    .string()
    .min(SECRET_LENGTH_MIN)
    .optional()
    .describe(
      "Secret for key hashes, cursors and sessions, at least 32 characters. By default, generated in the data folder.",
    ),
  PARQUETRY_SECRETS_KEYS: z
    .string()
    .regex(
      SEALING_KEYS,
      "Expected comma-separated name:key pairs with keys of 32 bytes in base64, such as k1:$(openssl rand -base64 32).",
    )
    .optional()
    .describe(
      "Keys that encrypt source credentials, as comma-separated name:key pairs with keys of 32 bytes in base64, the " +
        "current one first. By default, a key is generated in the data folder.",
    ),
  PARQUETRY_SHOWCASE: z
    .stringbool()
    .default(true)
    .describe("Publish the showcase datasets when the catalogue is empty on first start."),
  PARQUETRY_DESIGN_PAGE: z
    .stringbool()
    .default(false)
    .describe("Serve /design, the gallery of interface components. Always served under `next dev`."),
  PARQUETRY_TRUSTED_PROXIES: list.describe(
    "Comma-separated IP addresses or CIDR blocks of proxies whose X-Forwarded-For header is trusted.",
  ),
  PARQUETRY_LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("Lowest level of messages to log: trace, debug, info, warn, error or silent."),
  PARQUETRY_LOG_FORMAT: z
    .enum(["text", "json"])
    .optional()
    .describe(
      "Form of the log: text for people, or json, one object a line. By default, text at a terminal and json " +
        "elsewhere. Text leaves out requests that did not fail, unless PARQUETRY_LOG_LEVEL is debug or trace.",
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "URL of an OpenTelemetry collector that takes OTLP over HTTP, such as http://localhost:4318, for spans and " +
        "metrics. By default, none are made. Other OTEL_ variables are those of OpenTelemetry.",
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe(
      "Share of requests whose spans are sent, from 0 to 1. If a client sends a traceparent, its flag decides instead.",
    ),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe("TCP port on which /metrics is served for Prometheus. By default, none is."),
  METRICS_HOST: z
    .string()
    .default("127.0.0.1")
    .describe("IP address or host name on which /metrics is served. Whoever reaches it can read it."),
  SMTP_URL: z
    .string()
    .optional()
    .describe(
      "SMTP server, such as smtps://user:password@mail.example.com. Without it, create sign-in links with " +
        "`parquetry user link`.",
    ),
  MAIL_FROM: z.string().default("Parquetry <parquetry@localhost>").describe("Sender (From) of emails."),
  GITHUB_CLIENT_ID: z.string().optional().describe("Client ID of the OAuth app for sign-in with GitHub."),
  GITHUB_CLIENT_SECRET: z.string().optional().describe("Client secret of the OAuth app for sign-in with GitHub."),
  GITHUB_ENTERPRISE_URL: z.url().optional().describe("URL of a GitHub Enterprise Server to use instead of github.com."),
  GOOGLE_CLIENT_ID: z.string().optional().describe("OAuth client ID for sign-in with Google."),
  GOOGLE_CLIENT_SECRET: z.string().optional().describe("OAuth client secret for sign-in with Google."),
  OIDC_PROVIDERS: list.describe(
    "Comma-separated short IDs of OpenID Connect providers for sign-in, such as acme, each with its own settings: " +
      "OIDC_ACME_ISSUER and so on.",
  ),
  SIGN_IN_PROVIDERS_ONLY: z
    .stringbool()
    .default(false)
    .describe(
      "Whether people sign in only with GitHub, Google or an OpenID Connect provider: no passwords, no emailed " +
        "sign-in links, no sign-up form.",
    ),
  ...STORE_SETTINGS,
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^\S+$/)
    .optional()
    .describe("Secret key of the Stripe account that sells the paid plan. Without it, plans are set only by command."),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^\S+$/)
    .optional()
    .describe("Signing secret of the Stripe webhook, /api/stripe/webhook. Required with STRIPE_SECRET_KEY."),
  STRIPE_PRICE_ID: z
    .string()
    .regex(/^\S+$/)
    .optional()
    .describe("ID of the recurring Stripe price of the paid plan. Required with STRIPE_SECRET_KEY."),
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Alternative base URL of the Stripe API, for tests."),
  QUERIES_AT_ONCE: whole(0, 0).describe("Maximum number of concurrent queries. 0 means two per core, at most 8."),
  QUERY_QUEUE_MS: whole(2000, 0).describe(
    "Maximum time that a query waits for a slot, in milliseconds, randomised by up to 25% either way per query.",
  ),
  QUERY_TIMEOUT_MS: whole(15_000).describe("Execution time limit of a query, in milliseconds."),
  QUERY_THREADS: whole(0, 0).describe("Number of threads of the query engine. 0 means one per core."),
  QUERY_MEMORY_MB: whole(2048).describe(
    "Memory limit of the query engine, in MiB. Medians and quantiles may use up to half as much in addition.",
  ),
  QUERY_TEMP_MB: whole(4096, 0).describe("Maximum disk space for the query engine's temporary files, in MiB."),
  READ_COPIES_MB: whole(20_480, 0).describe(
    "Maximum disk space for read copies, in MiB. With 0, queries read the Parquet files directly.",
  ),
  RESULT_CACHE_MB: whole(256, 0).describe(
    "Memory for caching the rows of recent queries, in MiB. 0 disables this cache.",
  ),
  PAGE_CACHE_MB: whole(64, 0).describe(
    "Memory for caching public pages, in MiB. They are cached compressed, for at most ten seconds or until their " +
      "content changes. 0 disables this cache.",
  ),
  LIMIT_KEY_MINUTE: whole(60).describe("Maximum queries per minute per use key."),
  LIMIT_KEY_DAY: whole(5000).describe("Maximum queries per day per use key."),
  LIMIT_ADDRESS_MINUTE: whole(30).describe("Maximum queries per minute per IP address without a key."),
  LIMIT_ADDRESS_DAY: whole(600).describe("Maximum queries per day per IP address without a key."),
  LIMIT_DOWNLOAD_MINUTE: whole(60).describe("Maximum downloads per minute per key."),
  LIMIT_DOWNLOAD_DAY: whole(2000).describe("Maximum downloads per day per key."),
  LIMIT_FRESHNESS_MINUTE: whole(60).describe("Maximum freshness requests to the hosted table API per minute per key."),
  LIMIT_CATALOGUE_MINUTE: whole(300).describe(
    "Maximum metadata requests (catalogue, schema, preview) per minute per IP address.",
  ),
  LIMIT_VIEW_WATCHES: whole(20, 0).describe(
    "Maximum watches of views per person. Each is evaluated once for every version of its table.",
  ),
  LIMIT_ACCOUNT_MINUTE: whole(120).describe(
    "Maximum requests per minute by a signed-in person to account pages and their API.",
  ),
  LIMIT_SIGN_IN_ACCOUNT_MINUTE: whole(10).describe(
    "Maximum attempts per minute per account to sign in or enter a device code.",
  ),
  LIMIT_SIGN_IN_ACCOUNT_DAY: whole(100).describe(
    "Maximum daily attempts per account to sign in or enter a device code.",
  ),
  LIMIT_SIGN_IN_ADDRESS_MINUTE: whole(20).describe(
    "Maximum attempts per minute per IP address for sign-in, device login and device codes (counted separately).",
  ),
  LIMIT_SIGN_IN_ADDRESS_DAY: whole(300).describe(
    "Maximum daily attempts per IP address for sign-in, device login and device codes (counted separately).",
  ),
  LIMIT_SIGN_UP_ADDRESS_MINUTE: whole(5).describe("Maximum sign-ups, and emails requested, per minute per IP address."),
  LIMIT_SIGN_UP_ADDRESS_DAY: whole(50).describe("Maximum sign-ups, and emails requested, per day per IP address."),
  LIMIT_REGISTRATION_ADDRESS_MINUTE: whole(20).describe(
    "Maximum OAuth client registrations and client metadata lookups per minute per IP address.",
  ),
  LIMIT_REGISTRATION_ADDRESS_DAY: whole(500).describe(
    "Maximum OAuth client registrations and client metadata lookups per day per IP address.",
  ),
  LIMIT_TOKEN_CLIENT_MINUTE: whole(3000).describe("Maximum token exchanges per minute per OAuth client."),
  LIMIT_PAGE_MINUTE: whole(600).describe("Maximum page views per minute per IP address."),
  REPLY_MEMORY_MB: whole(256).describe(
    "Maximum memory for replies that clients are still receiving, in MiB. Requests beyond it get 503 busy.",
  ),
  REPLY_MEMORY_CALLER_MB: whole(32, 16).describe("REPLY_MEMORY_MB per IP address and per key or connection."),
  REPLIES_PER_ADDRESS: whole(64).describe("Maximum concurrent replies over 64 KiB per IP address."),
  REPLIES_PER_KEY: whole(8).describe("Maximum concurrent replies over 64 KiB per key or connection."),
  READ_RATE_MIN: whole(32_768).describe(
    "Minimum average rate at which a client must receive a reply after the first minute, in bytes per second.",
  ),
  WARM_UP_TABLES: whole(20, 0).describe(
    "How many tables, those queried most in the last week, are fetched and copied for fast reads before an instance " +
      "says that it is ready.",
  ),
  WARM_UP_SECONDS: whole(20, 0).describe("Maximum time for WARM_UP_TABLES at a start, in seconds."),
  SHUTDOWN_DELAY_SECONDS: whole(5, 0).describe(
    "How long the service goes on serving after SIGTERM or SIGHUP, in seconds, with /readyz 503 and each reply the " +
      "last of its connection, so that load balancers send requests elsewhere first. Choose more than two of their " +
      "checks.",
  ),
  CONNECTIONS_MAX: whole(4096).describe("Maximum open connections. Further ones are closed immediately."),
  CONNECTIONS_PER_ADDRESS: whole(1024).describe("Maximum open connections per IP address, except for trusted proxies."),
  ROWS_KEY: whole(10_000).describe("Maximum rows per page with a use key."),
  ROWS_ANONYMOUS: whole(100).describe("Maximum rows per page without a key."),
  ROWS_CHART: whole(3000).describe("Maximum rows of a chart's query without a key, each drawn as one mark."),
  BYTES_CHART: bytes(512 * 1024).describe("Maximum size of the reply to a chart's query without a key, in bytes."),
  BYTES_KEY: bytes(8 * 1024 * 1024).describe("Maximum size of a page with a use key, in bytes."),
  BYTES_ANONYMOUS: bytes(64 * 1024).describe("Maximum size of a page without a key, in bytes."),
  CONNECTOR_ACCEPT_USE_KEYS: z
    .stringbool()
    .default(true)
    .describe("Whether the connector accepts use keys as bearer tokens (read-only)."),
  CONNECTOR_ALLOWED_ORIGINS: list.describe(
    "Comma-separated origins, in addition to the service's own, whose pages may call the connector, such as " +
      "http://localhost:6274.",
  ),
  WORKERS: whole(1, 0).describe(
    "Worker processes that the server starts, for runs and for deleting what has expired. With 0, run them yourself.",
  ),
  WORKER_RUNS: whole(1).describe("Maximum concurrent runs per worker process."),
  BUILD_RUNS_AT_ONCE: whole(4).describe("Maximum concurrent runs over all workers."),
  BUILD_RUNS_WORKSPACE: whole(2).describe("Maximum concurrent runs per workspace."),
  BUILD_RUNS_DAY: whole(200).describe("Maximum runs per day per workspace."),
  BUILD_INSPECTIONS_HOUR: whole(60).describe("Maximum inspections of sources per hour per workspace."),
  BUILD_BYTES_DAY: bytes(20 * 1024 ** 3).describe("Maximum bytes fetched from sources per day per workspace."),
  BUILD_DATASETS: whole(50).describe("Maximum number of built datasets per workspace."),
  BUILD_MEMORY_MB: whole(768, 128).describe(
    "Memory limit of a run's query engine, in MiB. The run's process may use 512 MiB more.",
  ),
  BUILD_MEMORY_RETRY_MB: whole(1536, 0).describe(
    "Memory for retrying a refresh that ran out of it, in MiB, at most twice BUILD_MEMORY_MB. 0 disables retries.",
  ),
  BUILD_DISK_MB: whole(16_384, 64).describe("Maximum disk space of one run, in MiB."),
  BUILD_SECONDS_SAMPLE: seconds(120).describe("Time limit of a sample, in seconds."),
  BUILD_SECONDS_FULL: whole(3600, 1, JOB_SECONDS_MAX).describe("Time limit of a full run, in seconds."),
  BUILD_ROWS_MAX: whole(50_000_000).describe("Maximum number of rows of a built table."),
  SOURCE_BYTES: bytes(2 * 1024 ** 3).describe("Maximum bytes read from one source in one run."),
  SOURCE_BYTES_SAMPLE: bytes(64 * 1024 ** 2).describe("Maximum bytes read from one source in a sample."),
  SOURCE_SECONDS: seconds(1200).describe("Time limit for reading one source, in seconds."),
  SOURCE_PORTS: z
    .string()
    .regex(/^[0-9]{1,5}(?:,[0-9]{1,5})*$/, "Expected comma-separated port numbers.")
    .default("80,443,8080,8443")
    .transform((text) => text.split(",").map(Number))
    .describe("Comma-separated TCP ports that sources may be read from."),
  SOURCE_PRIVATE_HOSTS: list.describe(
    "Comma-separated host:port pairs in private networks that sources may be read from. None by default.",
  ),
  PACKAGE_REGISTRY: z
    .url()
    .transform((url) => withoutEnd(url, "/"))
    .optional()
    .describe("URL of the npm registry that sources of kind package are read from. None by default."),
  SNAPSHOT_MB: whole(51_200).describe("Maximum disk space for source snapshots per workspace, in MiB."),
  SNAPSHOT_DAYS: days(30).describe("Days to keep source snapshots after their last use unless refreshes need them."),
  ARTIFACT_DAYS: days(14).describe("Days to keep a run's artifacts."),
  SAMPLE_DAYS: days(7).describe("Days during which a sample can be queried and approved."),
  APPROVAL_DAYS: days(7).describe("Days during which a request for approval remains open."),
  UPLOAD_BYTES: bytes(1024 ** 3).describe("Maximum size of a file uploaded as a source, in bytes."),
  UPLOADS_BYTES_WORKSPACE: bytes(10 * 1024 ** 3).describe(
    "Maximum bytes of a workspace's uploads, each file counted once.",
  ),
  UPLOAD_DAYS: days(30).describe("Days to keep an upload that no run has read."),
  REFRESH_MIN_MINUTES: whole(15).describe("Minimum interval between refreshes, in minutes."),
  STORAGE_SECONDS: seconds(60).describe(
    "Time limit for opening and verifying a stored file, in seconds. Downloads that exceed it get 504.",
  ),
  ARTIFACT_BYTES: bytes(1024 * 1024 * 1024).describe("Maximum size of a file that can be downloaded, in bytes."),
});

/** Adds the rules that involve several settings. */
const WHOLE_SETTINGS = SETTINGS.superRefine((settings, ctx) => {
  for (const { name, requiredWith } of missingSettings(settings))
    ctx.addIssue({ code: "custom", path: [name], message: `required with ${requiredWith}` });
  const hasProvider = settings.GITHUB_CLIENT_ID || settings.GOOGLE_CLIENT_ID || settings.OIDC_PROVIDERS.length > 0;
  if (settings.SIGN_IN_PROVIDERS_ONLY && !hasProvider) {
    const message = "nobody could sign in: no provider is set up. Set up OIDC_PROVIDERS, GitHub or Google.";
    ctx.addIssue({ code: "custom", path: ["SIGN_IN_PROVIDERS_ONLY"], message });
  }
});

export type Settings = z.output<typeof SETTINGS> & {
  /** The OpenID Connect providers, from settings whose names contain the provider's ID. */
  oidcProviders: readonly OidcProvider[];
};

/** The settings of this process. Empty strings count as absent. Throws one error that names every invalid setting. */
export function env(): Settings {
  return processWide("settings", () => readSettings(process.env));
}

/** Reads settings from any source of variables. Pure. */
export function readSettings(variables: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = WHOLE_SETTINGS.safeParse(given);
  const ids = SETTINGS.shape.OIDC_PROVIDERS.parse(given.OIDC_PROVIDERS);
  const { providers: oidcProviders, faults } = readOidcProviders(ids, given);
  if (parsed.success && faults.length === 0) return { ...parsed.data, oidcProviders };
  const lines = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`),
    ...faults,
  ];
  const message = `Invalid settings:\n${lines.join("\n")}\nCorrect them; .env.example describes every setting.`;
  throw Object.assign(new Error(message), { name: "InvalidSettings" });
}

/** Whether the gallery of interface components is served. */
export const designPageShown = (): boolean => env().PARQUETRY_DESIGN_PAGE || process.env.NODE_ENV === "development";

/** The public URL of the hosted table API, without a trailing slash. */
export const apiBaseUrl = (settings: Settings = env()): string => settings.PARQUETRY_API_BASE_URL ?? baseUrl(settings);

/** The public URL of the service, without a trailing slash. */
export function baseUrl(settings: Settings = env()): string {
  return settings.PARQUETRY_BASE_URL ?? `http://localhost:${settings.PORT}`;
}

/** Settings that have no effect without others: the setting, and those that it requires. */
const REQUIRED_WITH: Readonly<Record<string, readonly string[]>> = {
  STRIPE_SECRET_KEY: ["STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE_ID"],
  GITHUB_CLIENT_ID: ["GITHUB_CLIENT_SECRET"],
  GITHUB_CLIENT_SECRET: ["GITHUB_CLIENT_ID"],
  GITHUB_ENTERPRISE_URL: ["GITHUB_CLIENT_ID"],
  S3_ENDPOINT: ["S3_BUCKET"],
  GOOGLE_CLIENT_ID: ["GOOGLE_CLIENT_SECRET"],
  GOOGLE_CLIENT_SECRET: ["GOOGLE_CLIENT_ID"],
};

/** The settings that are missing next to these, each with the one that requires it. */
const missingSettings = (
  settings: Readonly<Record<string, unknown>>,
): readonly { name: string; requiredWith: string }[] =>
  Object.entries(REQUIRED_WITH)
    .filter(([setting]) => settings[setting] !== undefined)
    .flatMap(([requiredWith, names]) =>
      names.filter((name) => settings[name] === undefined).map((name) => ({ name, requiredWith })),
    );
