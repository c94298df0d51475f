import { type DocContent, h2, list, name, names, samples, type TableRow, text } from "@/lib/docs/doc";
import { FAULTS, RETRY } from "@/lib/docs/samples/rules";
import { ERRORS, type ErrorCode } from "@/lib/kernel/errors";
import { RETRIED } from "@/lib/openapi/error-responses";
import { errorsOf } from "@/lib/operations/operation-errors";
import { ROUTED } from "@/lib/operations/registry";

const CODES = Object.keys(ERRORS) as ErrorCode[];

/** Codes that a route of this service can return. */
export const ANSWERED: ReadonlySet<ErrorCode> = new Set(ROUTED.flatMap(errorsOf));

export const errors: DocContent = () => [
  text(
    "Every API error is a JSON document. `error` is one of the codes below, `message` a sentence for people, " +
      "and `request_id` the ID to quote in support requests; it is also in the `X-Request-Id` header.",
  ),
  h2("faults", "All faults at once"),
  text(
    "For invalid requests, `details` lists every fault. `pointer` is a JSON Pointer into the body, or `?name` " +
      "for a query parameter; `allowed` and `did_you_mean` help to fix it.",
  ),
  samples("Faults", FAULTS),
  h2("retry", "When to retry"),
  list(
    "429, 503 and 504 are temporary: wait as long as `Retry-After` says, or back off exponentially if there is " +
      "no such header.",
    "Other errors persist until the request, the key or the plan changes.",
    "502 means that stored bytes failed verification and nothing was served. Report the request ID.",
    "A resource that you may not read gives the same 404 as one that does not exist.",
    "During maintenance, every route answers 503 in plain text with `Retry-After`.",
  ),
  samples("A client that retries", RETRY),
  h2("codes", "Codes"),
  {
    kind: "table",
    label: "Errors",
    head: ["Code", "Status", "Meaning", "What to do", "Retry"],
    rows: CODES.filter((code) => ANSWERED.has(code)).map(errorRow),
  },
  ...reserved(),
];

/** Codes of the closed list that no route returns yet. */
function reserved() {
  const codes = CODES.filter((code) => !ANSWERED.has(code));
  return codes.length === 0
    ? []
    : [text(`Reserved codes, not returned by any route of this service: ${names(codes)}.`)];
}

function errorRow(code: ErrorCode): TableRow {
  const { status, title, fix } = ERRORS[code];
  return { id: code, cells: [name(code), String(status), title, fix, retryText(status)] };
}

/** Whether the same request may succeed later. */
function retryText(status: number): string {
  if (RETRIED.has(status) || status === 504) return "yes, after waiting";
  return status === 500 ? "once" : "no";
}
