import { type DocContent, h2, list, name, samples, table, text } from "@/lib/docs/doc";
import { QUOTA } from "@/lib/docs/samples/rules";
import {
  AGGREGATES_MAX,
  COLUMNS_MAX,
  FILTERS_MAX,
  GROUPS_MAX,
  OFFSET_MAX,
  ORDER_MAX,
  VALUES_MAX,
} from "@/lib/engine/grammar/bounds";
import { TEXT_MAX } from "@/lib/engine/types/filter-value";
import { SETTINGS, type Settings } from "@/lib/kernel/env";
import { formatBinaryBytes, formatCount } from "@/lib/kernel/format";
import { UPLOAD_PART_BYTES } from "@/lib/schemas/upload";

const PEOPLE_LIMITS = /^LIMIT_(?:ACCOUNT|SIGN)_/;

export const limits: DocContent = ({ settings }) => [
  text("The limits of this service, as configured."),
  h2("reading", "Reading"),
  table("Limits", ["Limit", "With a use key", "Without"], readingLimits(settings)),
  list(
    "Each key has its own quota. Without a key, the quota is per IP address (per /64 for IPv6).",
    "Minutes start at each full minute, days at 00:00 UTC.",
    `Replies are cut off when a client receives them at less than ${formatBinaryBytes(settings.READ_RATE_MIN)} ` +
      `per second on average, after the first minute. Too many concurrent replies get 503 \`busy\`.`,
    "If the counters are unavailable, requests get 503 rather than unlimited access.",
    "Requests that may end without a whole file (304, `HEAD`, ranges) count as metadata requests. Ranges are also " +
      "counted by bytes: each time the ranges of one key, file and day add up to the whole file, one download is used.",
  ),
  h2("headers", "Remaining quota"),
  text(
    "`RateLimit-Policy` lists the quotas and `RateLimit` what is left of them: `r` is the remaining number, " +
      "`t` the seconds until it resets. Beyond a quota the reply is 429 `rate_limited` or " +
      "`daily_quota_exhausted`, and `Retry-After` says when to try again.",
  ),
  samples("Quota", QUOTA),
  h2("grammar", "Query size"),
  table("Limits of a query", ["Limit", "Maximum"], grammarLimits()),
  h2("more", "If you need more"),
  list(
    "Without a key: [create one](/settings/access). It is free.",
    "For a whole table, [download it](/docs/formats#files) instead of reading page by page: one request, with " +
      "a digest to check.",
    "To keep a copy up to date, send `If-None-Match`: a 304 does not count as a download.",
    "For statistics over many rows, let the service [group and aggregate](/docs/query#groups): one small reply " +
      "instead of many pages.",
  ),
  h2("people", "Accounts and sign-in"),
  table("Account limits", ["Limit", "Number"], peopleLimits(settings)),
];

function readingLimits(settings: Settings): string[][] {
  const seconds = `${settings.QUERY_TIMEOUT_MS / 1000} s`;
  const metadata = `${formatCount(settings.LIMIT_CATALOGUE_MINUTE)} per IP address`;
  return [
    ["Rows per page", formatCount(settings.ROWS_KEY), formatCount(settings.ROWS_ANONYMOUS)],
    ["Marks of a chart", formatCount(settings.ROWS_KEY), formatCount(settings.ROWS_CHART)],
    ["Bytes per page", formatBinaryBytes(settings.BYTES_KEY), formatBinaryBytes(settings.BYTES_ANONYMOUS)],
    [
      "Queries per minute",
      formatCount(settings.LIMIT_KEY_MINUTE),
      `${formatCount(settings.LIMIT_ADDRESS_MINUTE)} per IP address`,
    ],
    [
      "Queries per day",
      formatCount(settings.LIMIT_KEY_DAY),
      `${formatCount(settings.LIMIT_ADDRESS_DAY)} per IP address`,
    ],
    ["Execution time", seconds, seconds],
    ["Downloads per minute", formatCount(settings.LIMIT_DOWNLOAD_MINUTE), "none"],
    ["Downloads per day", formatCount(settings.LIMIT_DOWNLOAD_DAY), "none"],
    [
      "Concurrent replies over 64 KiB",
      `${formatCount(settings.REPLIES_PER_KEY)} per key`,
      `${formatCount(settings.REPLIES_PER_ADDRESS)} per IP address`,
    ],
    ["Largest download", formatBinaryBytes(settings.ARTIFACT_BYTES), "none"],
    ["Metadata requests per minute (catalogue, schema, preview)", metadata, metadata],
    ["Request body, except an uploaded file", "64 KiB", "64 KiB"],
    ["File uploaded for recipes", `${formatBinaryBytes(settings.UPLOAD_BYTES)}, for people and devices`, "none"],
    ["Part of an uploaded file", formatBinaryBytes(UPLOAD_PART_BYTES), "none"],
  ];
}

const grammarLimits = (): string[][] =>
  [
    ["Columns", COLUMNS_MAX],
    ["Filters", FILTERS_MAX],
    [`Values in ${name("in")}`, VALUES_MAX],
    ["Characters per string", TEXT_MAX],
    ["Sort columns", ORDER_MAX],
    ["Group columns", GROUPS_MAX],
    ["Aggregates", AGGREGATES_MAX],
    ["Offset", OFFSET_MAX],
  ].map(([what, most]) => [String(what), formatCount(Number(most))]);

/** The settings for accounts and sign-in, with their descriptions. */
function peopleLimits(settings: Settings): string[][] {
  const names = (Object.keys(SETTINGS.shape) as (keyof typeof SETTINGS.shape)[]).filter((key) =>
    PEOPLE_LIMITS.test(key),
  );
  return names.map((key) => [
    SETTINGS.shape[key].description?.replace(/\.$/, "") ?? key,
    formatCount(Number(settings[key])),
  ]);
}
