import { type DocContent, h2, list, name, samples, table, text } from "@/lib/docs/doc";
import { ALLOWANCE } from "@/lib/docs/samples/rules";
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
import { SETTINGS, type Settings } from "@/lib/env";
import { formatBinaryBytes, formatCount } from "@/lib/format";

const PEOPLE_LIMITS = /^LIMIT_(?:ACCOUNT|SIGN)_/;

export const limits: DocContent = ({ settings }) => [
  text("What this service allows, as it is set."),
  h2("reading", "Reading"),
  table("Limits", ["Limit", "With a use key", "Without"], readingLimits(settings)),
  list(
    "A key’s allowances are its own. Without a key they are those of the address; of IPv6, the /64.",
    "Minutes begin with each full minute, days at 00:00 UTC.",
    `Replies are cut when they are read more slowly than ${formatBinaryBytes(settings.READ_RATE_MIN)} per second on average, after a minute’s grace. One reply too many at the same time is 503 \`busy\`.`,
    "Where the counters cannot be asked, the answer is 503, not a free pass.",
    "What may end without a whole file (304, `HEAD`, ranges) counts as a catalogue read; a range of half the " +
      "file and more counts as a download as well.",
  ),
  h2("headers", "What is left"),
  text(
    "Replies say what is left (`RateLimit`) of which allowances (`RateLimit-Policy`): r is what remains, t the " +
      "seconds until it is full again. A refusal is 429 `rate_limited` or `daily_quota_exhausted`, and says in " +
      "`Retry-After` when to come again.",
  ),
  samples("Allowance", ALLOWANCE),
  h2("grammar", "Of a query"),
  table("Limits of a query", ["Limit", "At most"], grammarLimits()),
  h2("more", "When it is not enough"),
  list(
    "Without a key: [create one](/settings/access). It is free.",
    "For a whole table, [download it](/docs/formats#files) rather than walk it: one request, and a digest to check.",
    "To keep a copy, send `If-None-Match`: a 304 is no download.",
    "For a number out of many rows, let the service [group and aggregate](/docs/query#groups): one row instead " +
      "of a walk.",
  ),
  h2("people", "Accounts and signing in"),
  table("Limits of people", ["Limit", "Number"], peopleLimits(settings)),
];

function readingLimits(settings: Settings): string[][] {
  const seconds = `${settings.QUERY_TIMEOUT_MS / 1000} s`;
  const light = `${formatCount(settings.LIMIT_CATALOGUE_MINUTE)} an address`;
  return [
    ["Rows a page", formatCount(settings.ROWS_KEY), formatCount(settings.ROWS_ANONYMOUS)],
    ["Bytes a page", formatBinaryBytes(settings.BYTES_KEY), formatBinaryBytes(settings.BYTES_ANONYMOUS)],
    [
      "Queries a minute",
      formatCount(settings.LIMIT_KEY_MINUTE),
      `${formatCount(settings.LIMIT_ADDRESS_MINUTE)} an address`,
    ],
    ["Queries a day", formatCount(settings.LIMIT_KEY_DAY), `${formatCount(settings.LIMIT_ADDRESS_DAY)} an address`],
    ["Execution time", seconds, seconds],
    ["Downloads a minute", formatCount(settings.LIMIT_DOWNLOAD_MINUTE), "none"],
    ["Downloads a day", formatCount(settings.LIMIT_DOWNLOAD_DAY), "none"],
    [
      "Replies over 64 KiB read at the same time",
      `${formatCount(settings.REPLIES_PER_KEY)} per key`,
      `${formatCount(settings.REPLIES_PER_ADDRESS)} per address`,
    ],
    ["Largest download", formatBinaryBytes(settings.ARTIFACT_BYTES), "none"],
    ["Catalogue, schema, preview and metadata reads a minute", light, light],
    ["Body of a request", "64 KiB", "64 KiB"],
  ];
}

const grammarLimits = (): string[][] =>
  [
    ["Columns", COLUMNS_MAX],
    ["Filters", FILTERS_MAX],
    [`Values of ${name("in")}`, VALUES_MAX],
    ["Characters of a text", TEXT_MAX],
    ["Columns to order by", ORDER_MAX],
    ["Columns to group by", GROUPS_MAX],
    ["Aggregates", AGGREGATES_MAX],
    ["Offset", OFFSET_MAX],
  ].map(([what, most]) => [String(what), formatCount(Number(most))]);

/** The settings about accounts and signing in, in their own words. */
function peopleLimits(settings: Settings): string[][] {
  const names = (Object.keys(SETTINGS.shape) as (keyof typeof SETTINGS.shape)[]).filter((key) =>
    PEOPLE_LIMITS.test(key),
  );
  return names.map((key) => [
    SETTINGS.shape[key].description?.replace(/\.$/, "") ?? key,
    formatCount(Number(settings[key])),
  ]);
}
