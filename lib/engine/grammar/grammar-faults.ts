import { isLosslessNumber } from "lossless-json";
import type { z } from "zod";
import { lengthFault, wholeNumber } from "@/lib/engine/types/exact-number";
import type { Fault } from "@/lib/kernel/errors";
import { FAULTS_MAX, LOOKUPS_MAX, OFFSET_MAX } from "./bounds";
import { didYouMean } from "./did-you-mean";
import { pointerTo } from "./pointer";
import { VERSION_TWICE } from "./version-choice";

type Issue = z.core.$ZodIssue;

const FILTER = ["column", "operator", "value", "ignore_case"];

/** Known keys by path, without list indexes. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  "": [
    "columns",
    "filters",
    "order_by",
    "limit",
    "cursor",
    "offset",
    "group_by",
    "aggregates",
    "having",
    "derive",
    "search",
    "near",
    "lookups",
    "cell",
    "top",
    "total",
    "notes",
    "version_id",
    "as_of",
    "int64",
  ],
  filters: FILTER,
  "aggregates.filters": FILTER,
  having: FILTER,
  search: ["text", "columns"],
  lookups: ["table_id", "on", "columns", "as", "version_id", "as_of"],
  near: ["latitude", "longitude", "of", "km", "as"],
  cell: ["column", "offset"],
  top: ["by", "count"],
  derive: ["as", "function", "of", "over", "size", "by", "direction"],
  order_by: ["column", "direction"],
  aggregates: ["function", "column", "as", "filters", "at", "with", "of"],
  group_by: ["column", "bucket", "width", "as", "zone"],
};

/** Every fault of a body's shape: what zod found, then the bounds of limit and offset. */
export function shapeFaults(value: unknown, issues: readonly Issue[], tier: { rowsMax: number }): Fault[] {
  const body = isObject(value) ? value : {};
  return [
    ...issues.slice(0, FAULTS_MAX).flatMap((issue) => issueFaults(issue)),
    ...limitFaults(body.limit, tier.rowsMax),
    ...offsetFaults(body.offset),
    ...choiceFaults(body),
  ];
}

/** Versions that the body, or one of its lookups, names in both ways. */
function choiceFaults(body: Record<string, unknown>): Fault[] {
  const lookups = (Array.isArray(body.lookups) ? body.lookups : []).slice(0, LOOKUPS_MAX);
  const entries: [pointer: string, entry: unknown][] = lookups.map((entry, at) => [`/lookups/${at}`, entry]);
  return [["", body] as const, ...entries].flatMap(([pointer, entry]) =>
    isObject(entry) && entry.version_id !== undefined && entry.as_of !== undefined
      ? [{ pointer: `${pointer}/as_of`, code: "invalid_request" as const, message: VERSION_TWICE }]
      : [],
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const OBJECT_LISTS = ["filters", "order_by", "aggregates", "group_by", "having", "derive", "lookups"];
const OBJECTS = ["search", "near", "cell", "top"];

/** The body with plain numbers in place of LosslessNumber objects, whose keys would be reported as unknown. */
export function withPlainNumbers(value: unknown): unknown {
  if (isLosslessNumber(value)) return Number(value.value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withPlainParts(key, part)]));
}

function withPlainParts(key: string, part: unknown): unknown {
  if (OBJECTS.includes(key)) return plain(part);
  if (!OBJECT_LISTS.includes(key) || !Array.isArray(part)) return part;
  return part.map((item) => (key === "aggregates" ? withPlainFilters(plain(item)) : plain(item)));
}

function withPlainFilters(item: unknown): unknown {
  const filters = typeof item === "object" && item !== null && "filters" in item ? item.filters : undefined;
  return Array.isArray(filters) ? { ...(item as object), filters: filters.map(plain) } : item;
}

const plain = (item: unknown): unknown => (isLosslessNumber(item) ? Number(item.value) : item);

function issueFaults(issue: Issue): Fault[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(issue.path, key));
  if (issue.code === "invalid_union") return unionFaults(issue);
  const at = pointerTo(...issue.path);
  return [
    { pointer: at, code: "invalid_request", message: `${at === "" ? "The body" : at.slice(1)}: ${sentence(issue)}` },
  ];
}

/**
 * Reports an object's faults as those of an object; a value that is neither an object nor a string has the wrong type.
 */
function unionFaults({ path, errors }: Extract<Issue, { code: "invalid_union" }>): Fault[] {
  const ofObject = errors.find((branch) => !branch.some((issue) => issue.path.length === 0 && isOfType(issue)));
  if (ofObject) return ofObject.flatMap((issue) => issueFaults({ ...issue, path: [...path, ...issue.path] }));
  const at = pointerTo(...path);
  return [{ pointer: at, code: "invalid_request", message: `${at.slice(1)}: expected a string or an object.` }];
}

const isOfType = (issue: Issue): boolean => issue.code === "invalid_type";

function unknownKey(path: readonly PropertyKey[], key: string): Fault {
  const allowed = KEYS[path.filter((part) => typeof part === "string").join(".")] ?? [];
  const meant = didYouMean(key, allowed);
  return {
    pointer: pointerTo(...path, key),
    code: "invalid_request",
    message: `Unknown key ${JSON.stringify(key.slice(0, 100))}.`,
    allowed,
    ...(meant && { didYouMean: meant }),
  };
}

function sentence(issue: Issue): string {
  if (issue.code === "invalid_type")
    return issue.input === undefined
      ? `expected ${expected(issue.expected)}, but it is missing or has another type.`
      : `expected ${expected(issue.expected)}.`;
  return issue.message.endsWith(".") ? issue.message : `${issue.message}.`;
}

function expected(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function limitFaults(limit: unknown, rowsMax: number): Fault[] {
  if (!isLosslessNumber(limit)) return [];
  const rows = wholeNumber(limit.value);
  if (rows !== undefined && rows >= 1 && rows <= rowsMax) return [];
  const rule = `The limit must be an integer from 1 to ${rowsMax}.`;
  return [{ pointer: "/limit", code: "invalid_limit", message: withLength(limit.value, rule) }];
}

function offsetFaults(offset: unknown): Fault[] {
  if (!isLosslessNumber(offset)) return [];
  const rows = wholeNumber(offset.value);
  if (rows !== undefined && rows >= 0 && rows <= OFFSET_MAX) return [];
  const rule = `The offset must be an integer from 0 to ${OFFSET_MAX}.`;
  return [{ pointer: "/offset", code: "invalid_offset", message: withLength(offset.value, rule) }];
}

function withLength(number: string, rule: string): string {
  const fault = lengthFault(number);
  return fault === undefined ? rule : `${fault} ${rule}`;
}
