import type { QueryBody } from "@/lib/engine/grammar/grammar";
import type { BucketName } from "@/lib/engine/types/buckets";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import { formatPlural } from "@/lib/kernel/format";
import { filterNotes } from "./filter-notes";
import {
  counted,
  EXAMINED_MAX,
  NOTE_CODES,
  type NoteCandidate,
  type NoteCode,
  nullTest,
  type RowsProbe,
} from "./noted";
import type { Plan, PlannedAggregate, PlannedGroup } from "./planned";
import { spanNotes } from "./span-notes";

/** The notes that a valid body may get, in the order of a reply. Reads no data. */
export function noteCandidates(body: QueryBody, plan: Plan, columns: readonly EngineColumn[]): NoteCandidate[] {
  const found = [
    ...filterNotes(body, plan, columns),
    ...nearNotes(body, plan, columns),
    ...(plan.kind === "groups" ? groupNotes(plan, columns) : []),
  ];
  return NOTE_CODES.flatMap((code) => found.filter((candidate) => candidate.code === code));
}

/** Rows without a place, which are not within any distance. */
function nearNotes(
  body: QueryBody,
  { near, conditions, search }: Plan,
  columns: readonly EngineColumn[],
): NoteCandidate[] {
  if (near?.km === undefined) return [];
  const others = conditions.slice(0, body.filters.length);
  const probe = { counts: true, search, conditions: [...others, nullTest("is_null", columns.length)] };
  const names = [...new Set([near.latitude, near.longitude])].map((index) => columns[index]?.name).join(" and ");
  return [
    counted("nulls_left_out", "/near", probe, (count) => {
      const [rows, are] = [formatPlural(count, "row"), count === 1 ? "is" : "are"];
      return `${rows} without a place in the columns ${names} ${are} left out by near.`;
    }),
  ];
}

type Groups = Extract<Plan, { kind: "groups" }>;

function groupNotes(plan: Groups, columns: readonly EngineColumn[]): NoteCandidate[] {
  return [
    ...plan.groups.flatMap((group, at) => [
      ...bucketNotes(group, `/group_by/${at}`, plan, columns),
      ...spanNotes(plan, at, columns),
    ]),
    ...plan.aggregates
      .slice(0, EXAMINED_MAX)
      .flatMap((aggregate, at) => emptyAggregate(aggregate, `/aggregates/${at}`, plan, columns)),
  ];
}

/** What the values of a bucket mean. */
const BUCKET_NOTES: Partial<Record<BucketName, [code: NoteCode, message: (column: string) => string]>> = {
  hour: ["utc_hours", (column) => `The hours of ${column} are in UTC; those of a bucket with a zone are local.`],
  hour_of_day: ["utc_hours", (column) => `The hours of ${column} are in UTC; those of a bucket with a zone are local.`],
  week: ["week_starts_monday", (column) => `Weeks of ${column} begin on Monday, and are named by it.`],
  day_of_week: ["week_starts_monday", (column) => `Days of the week of ${column}: 1 is Monday, 7 is Sunday.`],
};

function bucketNotes(
  { column, bucket, zone }: PlannedGroup,
  pointer: string,
  { conditions, search }: Groups,
  columns: readonly EngineColumn[],
): NoteCandidate[] {
  const name = columns[column]?.name ?? "";
  const [code, message] = (bucket && BUCKET_NOTES[bucket]) ?? [];
  if (code === "utc_hours" && zone !== undefined) return [];
  if (code && message) return [{ code, probes: [], decide: () => ({ pointer, message: message(name) }) }];
  if (bucket !== "element") return [];
  const probe: RowsProbe = { counts: true, conditions, search, withoutItems: column };
  return [
    counted("nulls_left_out", pointer, probe, (count) => {
      const [rows, are] = [formatPlural(count, "row"), count === 1 ? "is" : "are"];
      return `${rows} without an item in the column ${name} ${are} in no group. Count them by its length.`;
    }),
  ];
}

/** An aggregate over no row or no value at all, which is 0 or null in each group. */
function emptyAggregate(
  { column, with: other, filters = [], as }: PlannedAggregate,
  pointer: string,
  { conditions, search, groups }: Groups,
  columns: readonly EngineColumn[],
): NoteCandidate[] {
  const needed = [column, other].filter((index) => index !== undefined);
  if (needed.length === 0 && filters.length === 0) return [];
  const among = { counts: false, search };
  const present = needed.map((index) => nullTest("is_not_null", index));
  const probes = [
    { ...among, conditions: [...conditions, ...filters, ...present] },
    { ...among, conditions },
  ];
  const names = [...new Set(needed)].map((index) => columns[index]?.name).join(" and ");
  const wanted = [
    ...(filters.length > 0 ? ["meets the aggregate’s filters"] : []),
    ...(needed.length > 0 ? [`has a value in the column ${names}`] : []),
  ].join(" and ");
  const what = filters.length > 0 ? "Check their values." : "Check the query’s filters, or take another column.";
  return [
    {
      code: "empty_aggregate",
      probes,
      decide: ([any = 0, matching = 0]) =>
        any > 0 || (matching === 0 && groups.length > 0)
          ? undefined
          : { pointer, message: `${as} is of no rows: none that matches ${wanted}. ${what}` },
    },
  ];
}
