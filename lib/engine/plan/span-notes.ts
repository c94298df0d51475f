import type { BucketName } from "@/lib/engine/types/buckets";
import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import { OPERATORS } from "@/lib/engine/types/operators";
import { placeOf } from "@/lib/engine/types/series";
import { isSpan, partialEnds, spanStart, unitsOf } from "@/lib/engine/types/spans";
import { UTC } from "@/lib/engine/types/zones";
import { formatPlural } from "@/lib/kernel/format";
import type { NoteCandidate } from "./noted";
import type { GroupsPlan, PlannedGroup } from "./planned";
import { columnAt, groupedColumns } from "./result-columns";

/** The notes that a group of spans may get: spans that are not whole, and spans or bands that are not there. */
export function spanNotes(plan: GroupsPlan, at: number, columns: readonly EngineColumn[]): NoteCandidate[] {
  const group = plan.groups[at];
  if (!group) return [];
  const column = columnAt(columns, group.column);
  return [...partialSpans(plan, group, at, column), ...gaps(plan, group, at, columns)];
}

/** A first or last span in which rows end early: by what the version has, or by a filter on the column. */
function partialSpans(
  { conditions, search, groups }: GroupsPlan,
  group: PlannedGroup,
  at: number,
  column: EngineColumn,
): NoteCandidate[] {
  const { bucket, zone = UTC } = group;
  const units = bucket && unitsOf(bucket, columnTypeOf(column).family === "timestamp");
  if (!bucket || !units) return [];
  const reach = (end: "from" | "to") =>
    conditions.filter(
      ({ column: index, operator }) =>
        index === group.column && operator !== "never" && OPERATORS[operator][end] !== undefined,
    );
  const span = { group: at, steps: units.longer, reach: { from: reach("from"), to: reach("to") } };
  // rows without items are in no group
  const isFiltered = conditions.length > 0 || search !== undefined || groups.some(({ bucket }) => bucket === "element");
  return [
    {
      code: "partial_span",
      probes: [...(isFiltered ? [{ ends: at }] : []), span],
      decide: (answers) => {
        const [least = Number.NaN, greatest = Number.NaN] = answers;
        const [low = Number.NaN, high = Number.NaN, ...whole] = isFiltered ? answers.slice(2) : answers;
        if (!(low <= least && least <= greatest && greatest <= high)) return undefined;
        const unit = units.longer.findLast((_, index) => whole[index] === 1) ?? units.unit;
        const { first, last } = partialEnds([low, high], bucket, unit);
        const text = (instant: number, span: BucketName) => instantText(instant, isOfTime(span) ? zone : undefined);
        const ends = [
          ...(first !== undefined && first === spanStart(least, bucket)
            ? [`the first (${text(first, bucket)}) has values from ${text(low, unit)} on`]
            : []),
          ...(last !== undefined && last === spanStart(greatest, bucket)
            ? [`the last (${text(last, bucket)}) has values up to ${text(high, unit)}`]
            : []),
        ];
        return ends.length === 0
          ? undefined
          : { pointer: `/group_by/${at}`, message: partialText(ends, bucket, column) };
      },
    },
  ];
}

const isOfTime = (span: BucketName): boolean => span === "hour" || span === "minute";

function partialText(ends: readonly string[], bucket: BucketName, { name }: EngineColumn): string {
  const which = ends.length > 1 ? `The first and the last ${bucket} of ${name} are` : `One ${bucket} of ${name} is`;
  return `${which} incomplete: ${ends.join("; ")}.`;
}

/** `2026-03-14`; with a zone, `2026-03-14 05:30 UTC`. */
function instantText(instant: number, zone: string | undefined): string {
  const iso = new Date(instant).toISOString();
  return zone === undefined ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)} ${zone}`;
}

/**
 * Spans without rows, which no group stands for; where results are derived from neighbours, also parts of the calendar
 * and bands.
 */
function gaps(plan: GroupsPlan, group: PlannedGroup, at: number, columns: readonly EngineColumn[]): NoteCandidate[] {
  const { column, bucket, width } = group;
  const isFollowed = plan.derived?.some(({ over }) => over === at) === true;
  if (!isFollowed && !(bucket && isSpan(bucket))) return [];
  const type = columnTypeOf(columnAt(columns, column));
  const result = columnTypeOf(columnAt(groupedColumns(plan, columns), at));
  if (!placeOf({ value: "v", key: "k", column: type, result, bucket, width }).isSpaced) return [];
  const span = bucket && isSpan(bucket) ? bucket : width === undefined ? "value" : "band";
  return [
    {
      code: "gaps",
      probes: [{ missing: at, within: isFollowed }],
      decide: ([count = Number.NaN]) => {
        if (!(count > 0)) return undefined;
        const [missing, has, is] = [
          formatPlural(count, span),
          count === 1 ? "has" : "have",
          count === 1 ? "is" : "are",
        ];
        const of = `${missing} of ${columnAt(columns, column).name} between others ${has} no rows and ${is} no group.`;
        const derived = " What is derived from one of them is null; averages are of those that are there.";
        const message = `${of}${isFollowed ? derived : ""}`;
        return { pointer: `/group_by/${at}`, message, ...(Number.isSafeInteger(count) && { count }) };
      },
    },
  ];
}
