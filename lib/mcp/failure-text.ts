import { ERRORS, type ErrorCode, type Failure, type Fault } from "@/lib/errors";

/** What to call next, where the table of errors speaks of routes. */
const NEXT: Readonly<Partial<Record<ErrorCode, string>>> = {
  not_found: "Take slugs from search or search_datasets, and table ids from list_tables.",
  unknown_column: "Call get_table_schema for the columns; names are matched exactly.",
  unsupported_operator: "Call again with one of the operators that are allowed.",
  operator_not_applicable: "Call again with one of the operators that are allowed.",
  unknown_function: "Call again with one of the functions that are allowed.",
  function_not_applicable: "Call again with one of the functions that are allowed.",
  invalid_limit: "Call again with a limit in that range, or without one.",
  invalid_request: "Send the arguments that the tool's input schema names, and no others.",
  result_too_large:
    "Ask for fewer columns, a smaller limit or fewer groups; get_download_instructions tells how to take the " +
    "whole table.",
  rate_limited: "Call again after the wait.",
  daily_quota_exhausted: "Go on after the wait, or take whole tables with a key: get_download_instructions.",
  busy: "Call again after the wait.",
  unavailable: "Call again after the wait.",
  version_withdrawn: "Leave version_id out to read the current version.",
};

/** More of them tell a model nothing new. */
const FAULTS_MAX = 20;

/** A refusal as a model reads it: what, why and the next call. */
export function failureText(failure: Failure, requestId: string): string {
  const { code, faults, retryAfterSeconds } = failure;
  const row = ERRORS[code];
  const wait = retryAfterSeconds === undefined ? "" : ` Wait ${Math.max(1, Math.ceil(retryAfterSeconds))} seconds.`;
  const what =
    faults.length > 0
      ? [`${code}:`, ...faults.slice(0, FAULTS_MAX).map(faultLine), ...restLine(faults.length - FAULTS_MAX)]
      : [`${code}: ${failure.message.replace(` ${row.fix}`, "")}`];
  return [
    ...what,
    `Next: ${NEXT[code] ?? row.fix}${wait}`,
    ...(code === "internal" ? [`Request id: ${requestId}`] : []),
  ].join("\n");
}

const restLine = (left: number): string[] => (left > 0 ? [`- and ${left} more faults`] : []);

function faultLine({ pointer, message, allowed, didYouMean }: Fault): string {
  const meant = didYouMean === undefined ? "" : ` Did you mean ${JSON.stringify(didYouMean)}?`;
  const choices =
    allowed && allowed.length > 0
      ? ` Allowed: ${allowed.slice(0, 30).join(", ")}${allowed.length > 30 ? ", …" : ""}.`
      : "";
  const said = `${pointer.slice(1) || "The body"}: `; // the line begins with its own
  return (
    `- ${pointer || "arguments"}: ` +
    `${message.startsWith(said) ? message.slice(said.length) : message}${meant}${choices}`
  );
}
