import type { RecipePart } from "@/lib/describe/recipe-reference";
import { ERRORS, type ErrorCode, type Failure, type Fault } from "@/lib/kernel/errors";

/** The tool to call next, where the error table names routes. */
const NEXT: Readonly<Partial<Record<ErrorCode, string>>> = {
  not_found: "Get slugs from search or search_datasets, and table ids from list_tables.",
  unknown_column: "Call get_table_schema for the column names. They are case-sensitive.",
  unsupported_operator: "Call again with one of the allowed operators.",
  operator_not_applicable: "Call again with one of the allowed operators.",
  unknown_function: "Call again with one of the allowed functions.",
  function_not_applicable: "Call again with one of the allowed functions.",
  invalid_limit: "Call again with a limit in that range, or omit it.",
  invalid_request: "Send only the arguments in the tool's input schema.",
  result_too_large:
    "Request fewer columns, a smaller limit or fewer groups. To get the whole table, call get_download_instructions.",
  rate_limited: "Call again after the wait.",
  daily_quota_exhausted:
    "Call again after the wait, or download whole tables with a key (see get_download_instructions).",
  busy: "Call again after the wait.",
  unavailable: "Call again after the wait.",
  version_withdrawn: "Omit version_id to read the current version.",
};

/** More would not help a model. */
const FAULTS_MAX = 20;

/** An error as a model reads it: what, why and the next call. */
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
    `Next: ${nextText(failure)}${wait}`,
    ...(code === "internal" ? [`Request ID: ${requestId}`] : []),
  ].join("\n");
}

/** Places in a recipe, or in the source of an inspection, and the part of the reference that has their keys. */
const IN_RECIPE: readonly [place: RegExp, part: RecipePart][] = [
  [/^(?:\/recipe)?(?:\/source|\/sources\/\d+)?\/reader(?:\/|$)/, "readers"],
  [/^(?:\/recipe)?\/sources?(?:\/|$)/, "sources"],
  [/^(?:\/recipe)?\/tables\/\d+\/steps\/\d+\/(?:number|date|boolean)(?:\/|$)/, "formats"],
  [/^(?:\/recipe)?\/tables\/\d+\/steps\/.*\/(?:fn|args)(?:\/|$)/, "functions"],
  [/^(?:\/recipe)?\/tables\/\d+\/steps(?:\/|$)/, "steps"],
  [/^(?:\/recipe)?\/tables\/\d+\/checks(?:\/|$)/, "checks"],
  [/^(?:\/recipe)?\/(?:tables|refresh|publish)(?:\/|$)/, "tables"],
];
/** A message that names a tool already says what to call next. */
const NAMES_TOOL = /\b(?:list|get|start|promote|register|propose|query)_[a-z_]+\b/;

function nextText({ code, faults, fact }: Failure): string {
  const parts = faults.flatMap(({ pointer }) => IN_RECIPE.find(([place]) => place.test(pointer))?.[1] ?? []);
  if (parts.length > 0) {
    const calls = [...new Set(parts)].map((part) => `get_recipe_reference {"part":"${part}"}`);
    return `Correct these and send it again. Every key, with examples: ${calls.join(", ")}.`;
  }
  const tool = code === "not_found" ? NAMES_TOOL.exec(fact)?.[0] : undefined;
  return tool === undefined ? (NEXT[code] ?? ERRORS[code].fix) : `Call ${tool}.`;
}

const restLine = (left: number): string[] => (left > 0 ? [`- and ${left} more errors`] : []);

/** `pointer`: parameters of a query string are arguments here. */
function faultLine({ pointer: path, message, allowed, didYouMean }: Fault): string {
  const pointer = path.replace(/^\?/, "/");
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
