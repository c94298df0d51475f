import { type DocContent, h2, list, name, names, samples, type TableRow, text } from "@/lib/docs/doc";
import { FAULTS, RETRY } from "@/lib/docs/samples/rules";
import { ERRORS, type ErrorCode } from "@/lib/errors";
import { RETRIED } from "@/lib/openapi/error-responses";
import { errorsOf } from "@/lib/operations/operation-errors";
import { OPERATIONS } from "@/lib/operations/registry";

const CODES = Object.keys(ERRORS) as ErrorCode[];

/** Codes that a route of this service can answer with. */
export const ANSWERED: ReadonlySet<ErrorCode> = new Set(OPERATIONS.flatMap(errorsOf));

export const errors: DocContent = () => [
  text(
    "Every error of the API is one JSON document. `error` is a code of the closed list below, `message` a " +
      "sentence for a person, `request_id` what support asks for; it stands in the header `X-Request-Id` too.",
  ),
  h2("faults", "All faults at once"),
  text(
    "Where the request itself is at fault, `details` lists all of its faults. `pointer` is a JSON Pointer into " +
      "the body, or `?name` for a parameter of the address; `allowed` and `did_you_mean` help to mend it.",
  ),
  samples("Faults", FAULTS),
  h2("retry", "Try again, or not"),
  list(
    "429, 503 and 504 pass: wait as `Retry-After` says, or a little longer each time where it says nothing.",
    "Other refusals stay as they are until the request, the key or the plan changes.",
    "502 says that stored bytes were not what they should be, and that nothing was served: report the request id.",
    "Who may not see something gets the same 404 as for what does not exist.",
    "During maintenance every route answers 503 in plain text, with `Retry-After`.",
  ),
  samples("A patient client", RETRY),
  h2("codes", "Codes"),
  {
    kind: "table",
    label: "Errors",
    head: ["Code", "Status", "Meaning", "What to do", "Try again"],
    rows: CODES.filter((code) => ANSWERED.has(code)).map(errorRow),
  },
  ...reserved(),
];

/** Codes of the closed list that nothing answers with yet. */
function reserved() {
  const codes = CODES.filter((code) => !ANSWERED.has(code));
  return codes.length === 0 ? [] : [text(`Reserved, and answered by no route of this service: ${names(codes)}.`)];
}

function errorRow(code: ErrorCode): TableRow {
  const { status, title, fix } = ERRORS[code];
  return { id: code, cells: [name(code), String(status), title, fix, retryWords(status)] };
}

/** Whether the same request may succeed later. */
function retryWords(status: number): string {
  if (RETRIED.has(status) || status === 504) return "yes, after a wait";
  return status === 500 ? "once" : "no";
}
