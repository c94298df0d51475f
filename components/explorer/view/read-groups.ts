import { GROUPS_MAX } from "@/lib/engine/grammar/bounds";
import { BUCKETS, bucketsFor, isBucketName } from "@/lib/engine/types/buckets";
import { columnTypeOf, isOrderable } from "@/lib/engine/types/column-types";
import { readWidth } from "@/lib/engine/types/widths";
import { filterValue } from "./filter-values";
import { unpackName } from "./name-list";
import { ALIAS, bounded, has, namesOf, type Reading, unknown } from "./reading";
import type { ViewColumn, ViewGroup } from "./view";

/** The groups in a URL: `origin`, `date:month`, `delay:100:delay_from`. */
export function readGroups(reading: Reading): ViewGroup[] {
  const texts = [...new Set(reading.all("group").flatMap((text) => text.split(",")))].filter(
    (text) => text !== "" || has(reading, ""),
  );
  const taken = new Set<string>();
  return bounded(reading, "group", texts, GROUPS_MAX).flatMap((text) => {
    const [name = "", span = "", as] = text.split(":").map(unpackName);
    const group = { column: name, alias: span === "" ? name : (as ?? name), ...spanOf(span) };
    const message = groupFault(reading, group, span, taken);
    taken.add(group.alias.toLowerCase());
    if (message) reading.reject("group", text, message);
    return message ? [] : group;
  });
}

const spanOf = (span: string): Pick<ViewGroup, "bucket" | "width"> =>
  span === "" ? {} : isBucketName(span) ? { bucket: span } : { width: span };

function groupFault(reading: Reading, group: ViewGroup, span: string, taken: ReadonlySet<string>): string | undefined {
  const column = reading.columns.find((entry) => entry.name === group.column);
  if (!column) return unknown(reading, "column", group.column, namesOf(reading));
  if (group.alias !== group.column && !ALIAS.test(group.alias))
    return "A result’s name must be 1 to 63 letters, digits and underscores, not starting with a digit.";
  if (taken.has(group.alias.toLowerCase())) return `${JSON.stringify(group.alias)} is already used as a result column.`;
  return span === "" ? valuesFault(column) : spanFault(reading, group, column);
}

const valuesFault = (column: ViewColumn): string | undefined =>
  isOrderable(columnTypeOf(column))
    ? undefined
    : `${JSON.stringify(column.name)} cannot be used in group_by. Its type is ${column.type}.`;

function spanFault(reading: Reading, group: ViewGroup, column: ViewColumn): string | undefined {
  const { bucket, width = "" } = group;
  if (bucket === undefined && !columnTypeOf(column).number)
    return unknown(reading, "bucket", width, Object.keys(BUCKETS));
  return bucket === undefined ? widthFault(width, column) : bucketFault(bucket, column);
}

const bucketFault = (bucket: string, column: ViewColumn): string | undefined =>
  bucketsFor(columnTypeOf(column)).includes(bucket)
    ? undefined
    : `${bucket} does not apply to ${JSON.stringify(column.name)}, which is of type ${column.type}.`;

/** What is wrong with the width of a column's groups, in the API's own words. */
export function widthFault(text: string, column: ViewColumn): string | undefined {
  const read = readWidth(columnTypeOf(column), filterValue({ operator: "eq", values: [text] }, column.type));
  return "rejected" in read ? read.rejected : undefined;
}
