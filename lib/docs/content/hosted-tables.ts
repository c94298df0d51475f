import { type Block, type DocContent, h2, list, name, table, text } from "@/lib/docs/doc";
import type { Settings } from "@/lib/kernel/env";
import { ERRORS, type ErrorCode } from "@/lib/kernel/errors";
import { formatBinaryBytes, formatCount } from "@/lib/kernel/format";

export const hostedTables: DocContent = ({ settings, place }) => {
  const base = settings.PARQUETRY_API_BASE_URL ?? place.base;
  const code = (label: string, route: string, more = ""): Block => ({
    ...{ kind: "code", label, language: "shellscript" },
    code: `curl -sS ${base}/api/v2/tables/TABLE_ID/${route} -H "x-api-key: $KEY"${more}`,
  });
  return [
    text(
      "A table that your workspace [builds](/docs/build) can have its own URL, where your programs download its " +
        "latest passing release and check whether that release is still current. This requires a workspace with an " +
        "active subscription; the dataset can remain private.",
    ),
    h2("activate", "Activate a dataset"),
    list(
      "An owner activates a dataset on its page in the [studio](/studio), once a run has sealed its tables. Each " +
        "table gets its own hosted id, which is part of `current_path` and `freshness_path` in the receipt. The " +
        "receipt's `table_id` is a different id, and these routes do not accept it.",
      "Tables that a later recipe adds get their URLs when they are first promoted.",
      "Deactivated tables return 404 from the next request on. Reactivated tables have the same URLs as before. A " +
        "URL is never reused for another table.",
      "A release is a sealed version that was promoted. A refresh that fails leaves the last good one in place.",
    ),
    h2("keys", "Live keys"),
    text(
      "These routes accept live keys (`svc_live_…`) and no other credential. A live key belongs to a workspace, " +
        "opens the tables that this workspace activated and nothing else, and works while the subscription is " +
        "active: during its paid period and for seven days after a failed payment. Later requests return 402 until " +
        "the subscription is active again.",
    ),
    h2("download", "Download"),
    code("Download", "current", " -D headers.txt -o table.parquet"),
    text(
      "The whole Parquet file, sent by the service itself: no redirect, no signed link. The file is verified against " +
        "its recorded digest before its first byte is sent. The release is chosen once per request; one that is " +
        "promoted during a download is served from the next request on.",
    ),
    table("Headers of a download", ["Header", "Value"], HEADERS),
    code("Skip an unchanged file", "current", ` -H 'If-None-Match: "sha256-…"'`),
    h2("freshness", "Freshness"),
    code("Freshness", "freshness"),
    text(
      "`current.available` says whether there is a release, and `current.etag` is the ETag of its download (null if " +
        "the release exists but cannot be read at the moment). `freshness` is the [verdict](/docs/freshness) with " +
        "its evidence, one entry per source in `sources`. Where `sources_incomplete` is true, not all sources are " +
        "named: do not derive a verdict from `sources` in that case. The reply has `Cache-Control: no-store` and no " +
        "ETag.",
    ),
    h2("statuses", "Statuses"),
    text(
      "Checks run in this order, so that a key whose subscription has ended learns nothing about which tables exist: " +
        "405, 401, 402, 429, 404, 409, 413, 502 for an inconsistent record, 412, 304, 502 for damaged bytes, 200.",
    ),
    table("Statuses", ["Status", "Download", "Freshness"], STATUSES.map(statusRow)),
    list(
      "Retry 429, 503 and 504 after `Retry-After`, or with growing pauses. 401, 402, 404, 409, 412 and 413 persist " +
        "until you change something. Report a 502 with its `request_id`: nothing was sent.",
      "Every JSON error has the [envelope](/docs/errors) of the other routes. A 405 for HEAD has no body.",
      "An unknown query parameter returns 400 `invalid_request`, as on every route.",
    ),
    h2("limits", "Limits"),
    table("Limits per key", ["Limit", "Download", "Freshness"], limitRows(settings)),
    text(
      "A 304 or a rejected request does not count against the daily limit. Byte ranges are not supported: `Range` is " +
        "ignored.",
    ),
  ];
};

const HEADERS = [
  [name("ETag"), "Strong, derived from the SHA-256 of the file; the same as long as the release is current"],
  [name("Content-Digest"), "`sha-256=:…:` of the bytes sent (RFC 9530)"],
  [name("X-Service-Content-Digest"), "The same digest as `sha256:<hex>`"],
  [name("Content-Length"), "Exact"],
  [name("Accept-Ranges"), name("none")],
  [name("X-Request-Id"), "For support"],
];

type Status = readonly [status: number, codes: readonly ErrorCode[], download: string, freshness: string];

const STATUSES: readonly Status[] = [
  [200, [], "The Parquet file", "The document, whether or not a release exists"],
  [304, [], "`If-None-Match` names the current release", "–"],
  [
    401,
    ["key_missing", "key_invalid", "key_revoked", "key_expired", "key_wrong_type"],
    "The key is missing, malformed, revoked, expired, or not a live key",
    "The same",
  ],
  [402, ["subscription_inactive"], "The key is valid, the subscription is not active", "The same"],
  [404, ["not_found"], "Unknown, foreign or not activated: indistinguishable", "The same"],
  [405, ["method_not_allowed"], "HEAD, and any method except GET and OPTIONS", "The same"],
  [409, ["no_passing_release"], "The table has no passing release yet", "– (`available` is false)"],
  [412, ["precondition_failed"], "`If-Match` does not name the current release", "–"],
  [413, ["artifact_too_large"], "The release is too large to be sent whole", "–"],
  [429, ["rate_limited", "daily_quota_exhausted"], "The key has reached its limit", "The same, per minute only"],
  [
    502,
    ["integrity_failure"],
    "The stored bytes or their record are damaged: nothing is sent",
    "– (`etag` is null where the file or its record cannot be used; its bytes are not read)",
  ],
  [503, ["unavailable", "busy"], "Temporarily unavailable", "The same"],
  [504, ["storage_timeout"], "Storage did not answer in time; the release itself may be fine", "–"],
];

const statusRow = ([status, codes, download, freshness]: Status): string[] => [
  [String(status), ...codes.filter((code) => ERRORS[code].status === status).map(name)].join(" "),
  download,
  freshness,
];

const limitRows = (settings: Settings): string[][] => [
  ["Requests per minute", formatCount(settings.LIMIT_DOWNLOAD_MINUTE), formatCount(settings.LIMIT_FRESHNESS_MINUTE)],
  ["Downloads per day", formatCount(settings.LIMIT_DOWNLOAD_DAY), "–"],
  ["Size of a release", formatBinaryBytes(settings.ARTIFACT_BYTES), "–"],
];
