import { ACCESS, type Access } from "@/lib/access/access-table";
import { accessGroups, type Rejection } from "@/lib/docs/access-groups";
import { h3, type Include, name, names, type TableRow, table } from "@/lib/docs/doc";
import { SETTINGS } from "@/lib/kernel/env";
import { ERRORS, type ErrorCode } from "@/lib/kernel/errors";
import { formatCount } from "@/lib/kernel/format";
import { RETRIED } from "@/lib/openapi/error-responses";
import { errorsOf } from "@/lib/operations/operation-errors";
import { ROUTED } from "@/lib/operations/registry";
import { FRESHNESS_CONFIDENCE, FRESHNESS_REASONS, FRESHNESS_STATES, RELEASE_CONTINUITY } from "@/lib/schemas/freshness";

const CODES = Object.keys(ERRORS) as ErrorCode[];
const PEOPLE_LIMITS = /^LIMIT_(?:ACCOUNT|SIGN)_/;

/** Codes that a route of this service can return. */
export const ANSWERED: ReadonlySet<ErrorCode> = new Set(ROUTED.flatMap(errorsOf));

/** Errors, limits, access and freshness. */
export const RULES: Readonly<Record<string, Include>> = {
  "error-codes": () => [
    table(
      "Errors",
      ["Code", "Status", "Meaning", "What to do", "Retry"],
      CODES.filter((code) => ANSWERED.has(code)).map(errorRow),
    ),
  ],
  "reserved-codes": () => {
    const codes = CODES.filter((code) => !ANSWERED.has(code));
    return codes.length === 0 ? "" : `Reserved codes, not returned by any route of this service: ${names(codes)}.`;
  },
  "rejected-keys": () => {
    const rows = CODES.filter((code) => ERRORS[code].status === 401).map((code) => [name(code), ERRORS[code].fix]);
    return [table("Reasons for rejected keys", ["Code", "What to do"], rows)];
  },
  /** The settings for accounts and sign-in, with their descriptions. */
  "account-limits": ({ settings }) => {
    const rows = (Object.keys(SETTINGS.shape) as (keyof typeof SETTINGS.shape)[])
      .filter((key) => PEOPLE_LIMITS.test(key))
      .map((key) => [SETTINGS.shape[key].description?.replace(/\.$/, "") ?? key, formatCount(Number(settings[key]))]);
    return [table("Account limits", ["Limit", "Number"], rows)];
  },
  "access-table": () =>
    (Object.keys(ACCESS) as Access[]).flatMap((row) => {
      const { title } = ACCESS[row];
      const rows = accessGroups(row).map(({ callers, reach, rejection }) => [
        callers.join("; "),
        reach ?? rejectionText(rejection),
      ]);
      return [h3(`access-${row.replaceAll("_", "-")}`, title), table(title, ["Credential", "Access"], rows)];
    }),
  "freshness-states": () => {
    const rows = Object.entries(FRESHNESS_STATES).map(([state, { meaning }]) => [name(state), meaning]);
    return [table("Freshness states", ["State", "Meaning"], rows)];
  },
  "freshness-reasons": () => {
    const rows = Object.entries(FRESHNESS_REASONS).map(([reason, { state, meaning }]) => [
      name(reason),
      name(state),
      meaning,
    ]);
    return [table("Freshness reasons", ["Reason", "State", "Meaning"], rows)];
  },
  "freshness-confidence": () => {
    const rows = Object.entries(FRESHNESS_CONFIDENCE).map(([confidence, meaning]) => [name(confidence), meaning]);
    return [table("Confidence", ["Confidence", "Meaning"], rows)];
  },
  "release-continuity": () => {
    const rows = Object.entries(RELEASE_CONTINUITY).map(([continuity, meaning]) => [name(continuity), meaning]);
    return [table("Continuity", ["Continuity", "Meaning"], rows)];
  },
};

function errorRow(code: ErrorCode): TableRow {
  const { status, title, fix } = ERRORS[code];
  return { id: code, cells: [name(code), String(status), title, fix, retryText(status)] };
}

/** Whether the same request may succeed later. */
function retryText(status: number): string {
  if (RETRIED.has(status) || status === 504) return "yes, after waiting";
  return status === 500 ? "once" : "no";
}

function rejectionText(rejection: Rejection | undefined): string {
  if (!rejection) return "";
  return rejection.inResult
    ? `200, with \`isError\` and ${name(rejection.code)} in the result`
    : `${rejection.status} ${name(rejection.code)}`;
}
