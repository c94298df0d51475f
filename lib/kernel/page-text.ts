import { ERRORS, type ErrorCode, type Failure } from "./errors";

const RETRY = "Reload the page and try again.";
/** Advice for failures that pass. */
export const LATER = "Try again in a moment.";
const RESTART = "Start again from the first page.";
const OPERATOR = "Choose one of the operators offered for the column.";
const FUNCTION = "Choose one of the functions offered for the column.";

/** Advice for readers of pages, for errors whose advice in the error table is for callers of the API. */
const ADVICE: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_json: RETRY,
  invalid_request: RETRY,
  unknown_column: "Choose a column of this table.",
  unsupported_operator: OPERATOR,
  operator_not_applicable: OPERATOR,
  invalid_value: "Enter a value of the column's type, within its range.",
  invalid_limit: "Choose a smaller number of rows.",
  invalid_offset: "Go to a row before 1,000,000.",
  invalid_cursor: RESTART,
  cursor_mismatch: RESTART,
  cursor_with_offset: RESTART,
  unknown_function: FUNCTION,
  function_not_applicable: FUNCTION,
  paging_with_aggregates: "Grouped results have a single page.",
  key_missing: "Enter your API key.",
  key_wrong_type: "Use an API key from your access settings.",
  forbidden_origin: RETRY,
  not_found: "Check the link. The page or dataset may have been moved or withdrawn, or may be private.",
  method_not_allowed: "Go back and try again.",
  not_acceptable: "Open the link in a browser.",
  conflict: RETRY,
  idempotency_key_reused: RETRY,
  precondition_failed: RETRY,
  request_too_large: "Shorten what you entered.",
  result_too_large: "Show fewer columns or groups, or add a filter.",
  artifact_too_large: "Narrow the data down with filters.",
  range_not_satisfiable: RETRY,
  unsupported_media_type: RETRY,
  rate_limited: LATER,
  daily_quota_exhausted: "Try again tomorrow, or use an API key, which has its own quota.",
  unavailable: LATER,
  busy: LATER,
};

/** Advice for the reader of a page after an error. */
export const pageAdvice = (code: ErrorCode): string => ADVICE[code] ?? ERRORS[code]?.fix ?? "Try again.";

/** An error's message for the reader of a page, with advice in the page's words if the message gives advice. */
export function pageText({ code, fact, message }: Pick<Failure, "code" | "fact" | "message">): string {
  return fact === message ? fact : `${fact} ${pageAdvice(code)}`;
}
