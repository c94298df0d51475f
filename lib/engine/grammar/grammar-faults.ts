import { isLosslessNumber } from "lossless-json";
import type { z } from "zod";
import { lengthFault, wholeNumber } from "@/lib/engine/types/exact-number";
import type { Fault } from "@/lib/kernel/errors";
import { FAULTS_MAX, OFFSET_MAX } from "./bounds";
import { didYouMean } from "./did-you-mean";

type Issue = z.core.$ZodIssue;

const KEYS: Readonly<Record<string, readonly string[]>> = {
  "": ["columns", "filters", "order_by", "limit", "cursor", "offset", "group_by", "aggregates", "version_id", "int64"],
  filters: ["column", "operator", "value"],
  order_by: ["column", "direction"],
  aggregates: ["function", "column", "as"],
};

/** Every fault of a body's shape: what zod found, then the bounds of limit and offset. */
export function shapeFaults(value: unknown, issues: readonly Issue[], tier: { rowsMax: number }): Fault[] {
  const body =
    typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  return [
    ...issues.slice(0, FAULTS_MAX).flatMap((issue) => issueFaults(issue)),
    ...limitFaults(body.limit, tier.rowsMax),
    ...offsetFaults(body.offset),
  ];
}

const OBJECT_LISTS = ["filters", "order_by", "aggregates"];

/**
 * The body with plain numbers where objects belong: a LosslessNumber is an object itself, whose keys would be told as
 * unknown ones.
 */
export function withPlainNumbers(value: unknown): unknown {
  if (isLosslessNumber(value)) return Number(value.value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const plain = (item: unknown) => (isLosslessNumber(item) ? Number(item.value) : item);
  return Object.fromEntries(
    Object.entries(value).map(([key, list]) => [
      key,
      OBJECT_LISTS.includes(key) && Array.isArray(list) ? list.map(plain) : list,
    ]),
  );
}

/** A JSON Pointer (RFC 6901) to a place in the body. */
export function pointerTo(...path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function issueFaults(issue: Issue): Fault[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(issue.path, key));
  const at = pointerTo(...issue.path);
  return [
    { pointer: at, code: "invalid_request", message: `${at === "" ? "The body" : at.slice(1)}: ${sentence(issue)}` },
  ];
}

function unknownKey(path: readonly PropertyKey[], key: string): Fault {
  const allowed = KEYS[String(path[0] ?? "")] ?? [];
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
