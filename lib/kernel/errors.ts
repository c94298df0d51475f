/**
 * THE error table: every error code with its HTTP status, its title and what the caller can do about it. The HTTP
 * envelope, the OpenAPI document, the connector and the docs are generated from it.
 */
export const ERRORS = {
  invalid_json: {
    status: 400,
    title: "Invalid JSON",
    fix: "Send a single JSON document in UTF-8 without duplicate keys.",
  },
  invalid_request: {
    status: 400,
    title: "Invalid request",
    fix: "Send only documented keys, with values of the documented types.",
  },
  unknown_column: {
    status: 400,
    title: "Unknown column",
    fix: "Get the column names from GET …/schema. They are case-sensitive.",
  },
  duplicate_column: { status: 400, title: "Duplicate column", fix: "Name each column once." },
  unsupported_operator: {
    status: 400,
    title: "Unsupported operator",
    fix: "Use an operator that the schema lists for the column.",
  },
  operator_not_applicable: {
    status: 400,
    title: "Operator not applicable",
    fix: "Use an operator that the schema lists for the column.",
  },
  invalid_value: { status: 400, title: "Invalid value", fix: "Send a value of the column's type, within its range." },
  too_many_values: { status: 400, title: "Too many values", fix: "Split the values across several queries." },
  invalid_limit: {
    status: 400,
    title: "Invalid limit",
    fix: "Send an integer from 1 to your maximum page size. See /docs/limits.",
  },
  invalid_offset: {
    status: 400,
    title: "Invalid offset",
    fix: "Send an integer from 0 to 1,000,000. To go further, use the cursor.",
  },
  invalid_cursor: { status: 400, title: "Invalid cursor", fix: "Send next_cursor from the previous reply unchanged." },
  cursor_mismatch: {
    status: 400,
    title: "Cursor mismatch",
    fix: "Send the cursor with the table, columns, filters and order_by of the query that returned it.",
  },
  cursor_with_offset: { status: 400, title: "Cursor with offset", fix: "Send either a cursor or an offset, not both." },
  invalid_order_by: {
    status: 400,
    title: "Invalid order",
    fix: "Order by a column of the table or, in a grouped query, by a group column or an alias.",
  },
  column_not_orderable: { status: 400, title: "Column not orderable", fix: "Order by a column of another type." },
  column_not_groupable: { status: 400, title: "Column not groupable", fix: "Group by a column of another type." },
  too_many_group_columns: { status: 400, title: "Too many group columns", fix: "Group by at most 4 columns." },
  unknown_function: {
    status: 400,
    title: "Unknown function",
    fix: "Use a function that the schema lists for the column.",
  },
  function_not_applicable: {
    status: 400,
    title: "Function not applicable",
    fix: "Use a function that the schema lists for the column.",
  },
  alias_conflict: {
    status: 400,
    title: "Alias conflict",
    fix: "Give each result a unique alias that is not the name of a column beside it (case-insensitive).",
  },
  invalid_alias: {
    status: 400,
    title: "Invalid alias",
    fix: "Use at most 63 letters, digits and underscores; the first must not be a digit.",
  },
  paging_with_aggregates: {
    status: 400,
    title: "Pagination with aggregates",
    fix: "Remove offset and cursor. A grouped query returns a single page.",
  },
  key_missing: { status: 401, title: "Key missing", fix: "Send a use key in the x-api-key header." },
  key_invalid: { status: 401, title: "Key invalid", fix: "Check the key for typos, or create a new one." },
  key_revoked: { status: 401, title: "Key revoked", fix: "Create a new key." },
  key_expired: { status: 401, title: "Key expired", fix: "Create a new key." },
  key_wrong_type: { status: 401, title: "Wrong key type", fix: "Send the type of key that this route accepts." },
  subscription_inactive: { status: 402, title: "Subscription inactive", fix: "Renew the workspace's subscription." },
  insufficient_scope: { status: 403, title: "Insufficient scope", fix: "Reconnect and grant the required scope." },
  forbidden_origin: { status: 403, title: "Forbidden origin", fix: "Call from an allowed origin, or from a server." },
  plan_required: { status: 403, title: "Plan required", fix: "Use a workspace on a paid plan." },
  not_found: {
    status: 404,
    title: "Not found",
    fix: "Check the URL. GET /api/v2/public/datasets lists the public datasets.",
  },
  method_not_allowed: { status: 405, title: "Method not allowed", fix: "Use a method listed in the Allow header." },
  not_acceptable: { status: 406, title: "Not acceptable", fix: "Accept one of the documented media types." },
  no_passing_release: {
    status: 409,
    title: "No passing release",
    fix: "Try again once a release has passed its checks.",
  },
  conflict: { status: 409, title: "Conflict", fix: "Read the current state and try again." },
  idempotency_key_reused: {
    status: 409,
    title: "Idempotency key reused",
    fix: "Use a new idempotency key for a different request.",
  },
  version_withdrawn: { status: 410, title: "Version withdrawn", fix: "Read the current version." },
  precondition_failed: {
    status: 412,
    title: "Precondition failed",
    fix: "The file is no longer the one that If-Match names. Get its current ETag and start again.",
  },
  request_too_large: { status: 413, title: "Request too large", fix: "Send at most 64 KiB." },
  result_too_large: {
    status: 413,
    title: "Result too large",
    fix: "Request fewer columns or groups, or download the entire table from …/current.",
  },
  artifact_too_large: { status: 413, title: "Artifact too large", fix: "Query the table page by page." },
  range_not_satisfiable: {
    status: 416,
    title: "Range not satisfiable",
    fix: "Continue at the byte given in Upload-Offset.",
  },
  unsupported_media_type: { status: 415, title: "Unsupported media type", fix: "Send Content-Type: application/json." },
  rate_limited: { status: 429, title: "Rate limited", fix: "Retry after the time given in Retry-After." },
  daily_quota_exhausted: {
    status: 429,
    title: "Daily quota exhausted",
    fix: "Retry after the time given in Retry-After. If queries are used up, you can still download entire tables.",
  },
  internal: { status: 500, title: "Internal error", fix: "Try again. If the error persists, report the request ID." },
  integrity_failure: { status: 502, title: "Integrity failure", fix: "Nothing was served. Report the request ID." },
  unavailable: { status: 503, title: "Unavailable", fix: "Retry after the time given in Retry-After." },
  busy: { status: 503, title: "Busy", fix: "Retry after the time given in Retry-After." },
  query_timeout: {
    status: 504,
    title: "Query timed out",
    fix: "Narrow the query with filters on the table's sort columns.",
  },
  storage_timeout: { status: 504, title: "Storage timed out", fix: "Try again." },
} as const satisfies Record<string, { status: number; title: string; fix: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** One thing wrong with a request. `pointer` is a JSON Pointer into the body, or `?name` for a query parameter. */
export interface Fault {
  pointer: string;
  code: ErrorCode;
  message: string;
  allowed?: readonly string[];
  didYouMean?: string;
}

interface FailureOptions {
  /** One sentence on what was wrong. Default: the table's title and fix. Never contains a secret, path or SQL. */
  message?: string;
  /** What a caller of the API can do about it, appended to the message. Pages use their own wording. */
  fix?: string;
  faults?: readonly Fault[];
  retryAfterSeconds?: number;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

/** Next bundles its own copy of this module: `instanceof` must recognise failures thrown by the other copy. */
const BRAND = Symbol.for("parquetry.failure");

/** An error that the caller may see. Anything else that is thrown becomes `internal`. */
export class Failure extends Error {
  static override [Symbol.hasInstance](value: unknown): value is Failure {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  readonly [BRAND] = true;
  readonly code: ErrorCode;
  /** The message without advice to callers of the API. */
  readonly fact: string;
  readonly faults: readonly Fault[];
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, options: FailureOptions = {}) {
    const row = ERRORS[code];
    const { message = `${row.title}.`, fix = options.message === undefined ? row.fix : undefined } = options;
    super(fix === undefined ? message : `${message} ${fix}`, { cause: options.cause });
    this.name = "Failure";
    this.code = code;
    this.fact = message;
    this.faults = options.faults ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** `throw fail("not_found")`. */
export const fail = (code: ErrorCode, options?: FailureOptions): Failure => new Failure(code, options);

/** The failure of a request with faults. Its code and message are those of the first fault. */
export function failWith(faults: readonly Fault[]): Failure {
  const first = faults[0];
  if (!first) throw new Error("failWith needs at least one fault");
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more: see details)` : "";
  return new Failure(first.code, { faults, message: `${first.message}${more}` });
}
