import { LIMIT_DEFAULT } from "@/lib/engine/grammar/bounds";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import type { Fault } from "@/lib/kernel/errors";
import { Failure } from "@/lib/kernel/errors";
import { makePlan } from "./plan";

interface Issue {
  path: readonly PropertyKey[];
}

type Raw = Record<string, unknown>;

/**
 * What the sound parts of a misshapen body have against a table's columns, so that one reply tells all faults.
 * Pointers count as in the body that was sent. Nothing when the body is no object.
 */
export function faultsOfSoundParts(
  value: unknown,
  issues: readonly Issue[],
  columns: readonly EngineColumn[],
): Fault[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const body = soundBody({ ...value } as Raw, issues);
  const mended = new Set(issues.map(({ path }) => String(path[0] ?? "")));
  try {
    makePlan(body, columns);
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.faults.filter(
      ({ pointer }) => !mended.has(pointer.slice(1)) && !(isEmptied(mended) && pointer === "/columns"),
    );
  }
}

/**
 * A body whose grouping was left out is judged as a plain one, which must name columns; that is no fault of the
 * sender's.
 */
const isEmptied = (mended: ReadonlySet<string>) => mended.has("group_by") || mended.has("aggregates");

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
    limit: LIMIT_DEFAULT,
    offset: undefined,
    int64: "number",
  };
}

/** A list without its misshapen items; holes stand in their places, which keeps the places of the others. */
function soundList(value: unknown, key: string, issues: readonly Issue[]): unknown[] {
  const own = issues.filter(({ path }) => path[0] === key);
  if (!Array.isArray(value) || own.some(({ path }) => path.length === 1)) return [];
  const items = [...value];
  for (const { path } of own) delete items[Number(path[1])];
  return items;
}
