import { LIMIT_DEFAULT } from "@/lib/engine/grammar/bounds";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import type { Fault } from "@/lib/kernel/errors";
import { distanceName } from "./near";
import { planFaults } from "./plan";
import { distanceColumn } from "./result-columns";

interface Issue {
  path: readonly PropertyKey[];
}

type Raw = Record<string, unknown>;

/**
 * Checks the valid parts of a malformed body against a table's columns, so that one reply reports all faults. Pointers
 * refer to the body as sent. What names columns of tables that it looks them up in is left out, since those are not yet
 * known. Empty if the body is not an object.
 */
export function faultsOfSoundParts(
  value: unknown,
  malformed: readonly Issue[],
  columns: readonly EngineColumn[],
): Fault[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const issues = "lookups" in value ? [...malformed, ...lookedUp({ ...value }, columns)] : malformed;
  const body = soundBody({ ...value } as Raw, issues);
  const dropped = new Set(issues.map(({ path }) => String(path[0] ?? "")));
  const unfounded = [
    ...dropped,
    ...(isEmptied(dropped) ? ["columns"] : []),
    ...(dropped.has("order_by") ? ["near/km"] : []),
  ];
  const named = dropped.has("near") ? [...columns, droppedDistance(value as Raw)] : columns;
  return planFaults(body, named).filter(({ pointer }) => !unfounded.includes(pointer.slice(1)));
}

/** The parts of a body that name columns of other tables, such as `airport.city`. */
function lookedUp({ lookups: _, ...parts }: Raw, columns: readonly EngineColumn[]): Issue[] {
  const own = new Set(columns.map(({ name }) => name));
  const isForeign = (part: unknown) => namesIn(part).some((name) => name.includes(".") && !own.has(name));
  return Object.entries(parts).flatMap(([key, part]) =>
    Array.isArray(part)
      ? part.flatMap((item, at) => (isForeign(item) ? [{ path: [key, at] }] : []))
      : isForeign(part)
        ? [{ path: [key] }]
        : [],
  );
}

/** Members of a body whose strings are no names of columns. */
const VALUES = new Set(["value", "text"]);

const namesIn = (part: unknown): string[] => {
  if (typeof part === "string") return [part];
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => (VALUES.has(key) ? [] : namesIn(value)));
};

/** The column of a malformed `near`, which the rest of the body may name. */
function droppedDistance({ near }: Raw): EngineColumn {
  const as = typeof near === "object" && near !== null && "as" in near ? near.as : undefined;
  return distanceColumn({ as: distanceName({ as: typeof as === "string" ? as : undefined }) });
}

/**
 * Whether a grouping or cell was dropped. The body is then checked as a plain one, which must name columns; their
 * absence is not the sender's fault.
 */
const isEmptied = (dropped: ReadonlySet<string>) => ["group_by", "aggregates", "cell"].some((key) => dropped.has(key));

function soundBody(raw: Raw, issues: readonly Issue[]): QueryBody {
  const isGroupingSound = !issues.some(({ path }) => path[0] === "group_by" || path[0] === "aggregates");
  const list = <T>(key: string) => soundList(raw[key], key, issues) as T[];
  const order = list<QueryBody["order_by"][number]>("order_by").map((entry) => ({
    ...entry,
    direction: entry.direction ?? "asc",
  }));
  return {
    columns: list("columns"),
    filters: list("filters"),
    order_by: isGroupingSound ? order : [],
    group_by: isGroupingSound ? list("group_by") : [],
    aggregates: isGroupingSound ? list("aggregates") : [],
    ...(isGroupingSound && Array.isArray(raw.having) && { having: list<QueryBody["filters"][number]>("having") }),
    ...(isGroupingSound &&
      Array.isArray(raw.derive) && { derive: list<NonNullable<QueryBody["derive"]>[number]>("derive") }),
    ...soundObject<"search">(raw, "search", issues),
    ...soundObject<"near">(raw, "near", issues),
    ...soundObject<"cell">(raw, "cell", issues),
    ...soundObject<"top">(raw, "top", issues),
    limit: LIMIT_DEFAULT,
    offset: undefined,
    int64: "number",
  };
}

/** An object of a body, if present and well-formed. */
function soundObject<Key extends "search" | "near" | "cell" | "top">(
  raw: Raw,
  key: Key,
  issues: readonly Issue[],
): Partial<Pick<QueryBody, Key>> {
  const isSound = raw[key] !== undefined && !issues.some(({ path }) => path[0] === key);
  return isSound ? ({ [key]: raw[key] } as Pick<QueryBody, Key>) : {};
}

/** A list without its malformed items; holes keep the indexes of the others. */
function soundList(value: unknown, key: string, issues: readonly Issue[]): unknown[] {
  const own = issues.filter(({ path }) => path[0] === key);
  if (!Array.isArray(value) || own.some(({ path }) => path.length === 1)) return [];
  const items = [...value];
  for (const { path } of own) delete items[Number(path[1])];
  return items;
}
