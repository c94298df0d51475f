import { didYouMean } from "@/lib/engine/grammar/did-you-mean";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import { BUCKETS, type BucketName, bucketsFor, isBucketName, takesZone } from "@/lib/engine/types/buckets";
import type { ColumnType } from "@/lib/engine/types/column-type";
import { columnTypeOf, isOrderable } from "@/lib/engine/types/column-types";
import { readWidth } from "@/lib/engine/types/widths";
import { isZone, zoneNames, zoneOfAlias } from "@/lib/engine/types/zones";
import type { PlannedGroup } from "./planned";
import { columnIndex, type Planning, reject } from "./planning";

const ALIAS = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

type Entry = QueryBody["group_by"][number];
type Spans = Exclude<Entry, string>;

/** The groups of a body; their faults are collected in `planning`. */
export function planGroupBy(planning: Planning, entries: readonly Entry[]): PlannedGroup[] {
  const taken = new Set<string>();
  const lists = entries.flatMap((entry, at) => (isOfItems(entry) ? [at] : []));
  for (const at of lists.slice(1))
    reject(planning, {
      pointer: `/group_by/${at}/bucket`,
      code: "invalid_request",
      message: "A query can be grouped by the items of one list only.",
    });
  return entries.flatMap((entry, at) => {
    const planned =
      typeof entry === "string"
        ? planName(planning, entry, `/group_by/${at}`, taken)
        : planSpans(planning, entry, `/group_by/${at}`);
    if (planned) taken.add(planned.as);
    return planned ?? [];
  });
}

const isOfItems = (entry: Entry): boolean =>
  typeof entry === "object" &&
  isBucketName(entry.bucket ?? "") &&
  BUCKETS[entry.bucket as BucketName].isOfItems === true;

/** Whether a body groups floats by a width, which makes other groups than it did when their ETags were first written. */
export const hasFloatWidth = (entries: readonly Entry[], columns: readonly { name: string; type: string }[]): boolean =>
  entries.some(
    (entry) =>
      typeof entry === "object" &&
      entry.width !== undefined &&
      columns.some(({ name, type }) => name === entry.column && columnTypeOf({ type }).number?.isFloat),
  );

/** The names of a body's groups in the result, in the body's order. */
export const groupNames = (entries: readonly Entry[]): string[] =>
  entries.map((entry) => (typeof entry === "string" ? entry : (entry.as ?? entry.column)));

/** The index of a group by its name in the result; an unknown name becomes a fault. */
export function groupIndex(
  planning: Planning,
  name: string,
  names: readonly string[],
  pointer: string,
): number | undefined {
  const index = names.indexOf(name);
  if (index >= 0) return index;
  const meant = didYouMean(name, names);
  reject(planning, {
    pointer,
    code: "unknown_column",
    message: `Unknown group ${JSON.stringify(name.slice(0, 100))}. Name results of group_by.`,
    ...(names.length > 0 && { allowed: names }),
    ...(meant && { didYouMean: meant }),
  });
  return undefined;
}

/** Rejects an alias that is not a valid name. */
export function checkAlias(planning: Planning, as: string, pointer: string): void {
  if (ALIAS.test(as)) return;
  reject(planning, {
    pointer,
    code: "invalid_alias",
    message: "An alias must have 1 to 63 letters, digits and underscores, and must not start with a digit.",
  });
}

function planName(
  planning: Planning,
  as: string,
  pointer: string,
  taken: ReadonlySet<string>,
): PlannedGroup | undefined {
  const index = columnIndex(planning, as, pointer);
  if (index === undefined) return undefined;
  const column = planning.columns[index];
  if (taken.has(as))
    reject(planning, { pointer, code: "duplicate_column", message: `Duplicate column ${JSON.stringify(as)}.` });
  if (column && !isOrderable(columnTypeOf(column)))
    reject(planning, {
      pointer,
      code: "column_not_groupable",
      message: `${JSON.stringify(as)} cannot be used in group_by. Its type is ${column.type}.`,
    });
  return { column: index, as };
}

function planSpans(planning: Planning, entry: Spans, pointer: string): PlannedGroup | undefined {
  const index = columnIndex(planning, entry.column, `${pointer}/column`);
  const column = index === undefined ? undefined : planning.columns[index];
  const type = column && columnTypeOf(column);
  if (entry.as !== undefined) checkAlias(planning, entry.as, `${pointer}/as`);
  const spans = planSpan(planning, entry, type, pointer);
  return index === undefined ? undefined : { column: index, as: entry.as ?? entry.column, ...spans };
}

function planSpan(
  planning: Planning,
  entry: Spans,
  type: ColumnType | undefined,
  pointer: string,
): Pick<PlannedGroup, "bucket" | "width" | "zone"> {
  if ((entry.bucket === undefined) === (entry.width === undefined)) {
    const message = "Send either a bucket or a width. To group by the column's values, send only its name.";
    reject(planning, { pointer, code: "invalid_request", message });
    return {};
  }
  if (entry.bucket === undefined) rejectZone(planning, entry, pointer);
  if (entry.bucket !== undefined) return planBucket(planning, { ...entry, bucket: entry.bucket }, type, pointer);
  return type ? planWidth(planning, entry, type, pointer) : {};
}

function planBucket(
  planning: Planning,
  entry: Spans & { bucket: string },
  type: ColumnType | undefined,
  pointer: string,
): Pick<PlannedGroup, "bucket" | "zone"> {
  const { column, bucket } = entry;
  const allowed = type ? bucketsFor(type) : Object.keys(BUCKETS);
  if (!isBucketName(bucket)) {
    const meant = didYouMean(bucket, Object.keys(BUCKETS));
    reject(planning, {
      pointer: `${pointer}/bucket`,
      code: "invalid_value",
      message: `Unknown bucket ${JSON.stringify(bucket.slice(0, 100))}.`,
      allowed,
      ...(meant && { didYouMean: meant }),
    });
    return {};
  }
  if (!allowed.includes(bucket)) reject(planning, notGroupable(bucket, column, type, `${pointer}/bucket`, allowed));
  return { bucket, ...planZone(planning, { ...entry, bucket }, type, pointer) };
}

function planZone(
  planning: Planning,
  entry: Spans & { bucket: BucketName },
  type: ColumnType | undefined,
  pointer: string,
): Pick<PlannedGroup, "zone"> {
  const { zone, bucket } = entry;
  if (zone === undefined) return {};
  if (type && !takesZone(bucket, type)) rejectZone(planning, entry, pointer);
  if (isZone(zone)) return { zone };
  const meant = zoneOfAlias(zone) ?? didYouMean(zone, zoneNames());
  reject(planning, {
    pointer: `${pointer}/zone`,
    code: "invalid_value",
    message: `Unknown zone ${JSON.stringify(zone.slice(0, 100))}. Send the IANA name of a time zone, or UTC.`,
    ...(meant && { didYouMean: meant }),
  });
  return {};
}

function rejectZone(planning: Planning, { column, zone }: Spans, pointer: string): void {
  if (zone === undefined) return;
  const name = JSON.stringify(column.slice(0, 100));
  const message = `zone applies to spans and parts of timestamps, not to this group of ${name}. Leave it out.`;
  reject(planning, { pointer: `${pointer}/zone`, code: "invalid_request", message });
}

function planWidth(planning: Planning, entry: Spans, type: ColumnType, pointer: string): { width?: string } {
  if (!type.number) {
    reject(planning, notGroupable("width", entry.column, type, `${pointer}/width`));
    return {};
  }
  const read = readWidth(type, entry.width);
  if ("text" in read) return { width: read.text };
  reject(planning, { pointer: `${pointer}/width`, code: "invalid_value", message: read.rejected });
  return {};
}

function notGroupable(
  what: string,
  column: string,
  type: ColumnType | undefined,
  pointer: string,
  allowed?: readonly string[],
) {
  const message = `${what} does not apply to ${JSON.stringify(column)}, which is of type ${type?.name}.`;
  return { pointer, code: "column_not_groupable" as const, message, ...(allowed?.length && { allowed }) };
}
