import type { Condition } from "@/lib/engine/plan/conditions";
import {
  answersOf,
  type EndsProbe,
  type MissingProbe,
  type Probe,
  type RowsProbe,
  type Sought,
  type SpanProbe,
} from "@/lib/engine/plan/noted";
import type { GroupsPlan, Plan } from "@/lib/engine/plan/planned";
import { columnAt, groupedColumns } from "@/lib/engine/plan/result-columns";
import { type BucketName, bucketSql } from "@/lib/engine/types/buckets";
import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import { OPERATORS } from "@/lib/engine/types/operators";
import { placeOf } from "@/lib/engine/types/series";
import { spanStart } from "@/lib/engine/types/spans";
import { utcSql } from "@/lib/engine/types/timestamps";
import { localSql } from "@/lib/engine/types/zoned-sql";
import { groupedRowsSql, groupSql } from "./group-sql";
import { columnsIn, fromSql, type Source, type Statement } from "./sql";
import { bind, conditionSql, filterSql, whereSql } from "./where-sql";

/** Of how many strings that no row has near values are sought, and how many each has at most: the nearest by bytes. */
const SOUGHT_MAX = 3;
const NEAR_MAX = 50;

/** Strings for which near values are wanted where no row has them. */
export interface NearSought extends Sought {
  /** Of each string, by how many edits of bytes a near value may differ. */
  edits: readonly number[];
  /** The index of the first one's probe; the others' follow. */
  firstProbe: number;
}

/**
 * One row with the answers to all probes in turn (`answersOf`), which are null where there are none; then, for
 * each that is sought, a JSON list of pairs: the index of a string that no row has, and a value near it. The distinct
 * values of a column are read only if there is such a string.
 */
export function notesSql(
  probes: readonly Probe[],
  sought: readonly NearSought[],
  plan: Plan,
  columns: readonly EngineColumn[],
  source: Source,
): Statement {
  const params: string[] = [];
  const named = probes.map((probe, at) => `(${probeSql(probe, plan, columns, source, params)}) AS p${at}`);
  const answers = probes.flatMap((probe, at) =>
    answersOf(probe) === 1 ? [`p${at}`] : Array.from({ length: answersOf(probe) }, (_, item) => `p${at}[${item + 1}]`),
  );
  const near = sought.map((each) => `(${nearSql(each, source, params)})`);
  const found = `WITH found AS MATERIALIZED (SELECT ${named.join(", ")}) `;
  return { sql: `${found}SELECT ${[...answers, ...near].join(", ")} FROM found`, params };
}

/** A number, or a list of several. */
function probeSql(
  probe: Probe,
  plan: Plan,
  columns: readonly EngineColumn[],
  source: Source,
  params: string[],
): string {
  if ("counts" in probe) return rowsSql(probe, source, params);
  if (plan.kind !== "groups") throw new Error("Only grouped queries have spans");
  if ("missing" in probe) return missingSql(probe, plan, columns, source, params);
  const stored = columnsIn(source, columns);
  return "steps" in probe ? spanSql(probe, plan, stored, source, params) : endsSql(probe, plan, stored, source, params);
}

function rowsSql(
  { counts, conditions, search, unless, withoutItems }: RowsProbe,
  source: Source,
  params: string[],
): string {
  const list = `c${withoutItems}`;
  const where = whereSql([
    ...filterSql({ conditions, ...(search && { search }) }, params),
    ...(unless ? [`NOT (${conditionSql(unless, params)})`] : []),
    ...(withoutItems === undefined ? [] : [`(${list} IS NULL OR length(${list}) = 0)`]),
  ]);
  const from = `${fromSql(source)}${where}`;
  return counts ? `SELECT count(*) FROM ${from}` : `CAST(EXISTS (SELECT 1 FROM ${from}) AS BIGINT)`;
}

/** A group's column as dates, or as timestamps in UTC and in local time. */
function instants(plan: GroupsPlan, at: number, stored: readonly EngineColumn[]) {
  const { zone, within, column } = grouped(plan, at);
  const { storage, ...named } = columnAt(stored, column);
  const type = columnTypeOf(named);
  const isDate = type.family === "date";
  return {
    value: isDate ? `c${column}` : utcSql(`c${column}`, storage),
    type,
    storage: isDate ? "DATE" : "TIMESTAMP",
    tick: isDate ? "1" : "INTERVAL 1 MICROSECOND",
    /** Null where it is not in the years 1 to 9999: other rows than the query's may have such values. */
    local: (value: string) => (zone === undefined ? value : localSql(value, { zone, within }, "NULL")),
  };
}

const milliseconds = (value: string): string => `epoch_ms(CAST(${value} AS TIMESTAMP))`;

function spanSql(
  { group, steps, reach, first: least = Number.NaN }: SpanProbe,
  plan: GroupsPlan,
  stored: readonly EngineColumn[],
  source: Source,
  params: string[],
): string {
  const isStart = (step: BucketName) => Number.isNaN(least) || spanStart(least, step) === least;
  const { value, type, storage, tick, local } = instants(plan, group, stored);
  const bound = (side: "from" | "to", { operator, values, cast }: Condition): string => {
    const bounds = values.map((text) => bind(text, cast, params)).join(", ");
    const edge = operator === "never" ? undefined : OPERATORS[operator][side];
    const moved = edge === "above" ? ` + ${tick}` : edge === "below" ? ` - ${tick}` : "";
    return `${side === "from" ? "least" : "greatest"}(${bounds})${moved}`;
  };
  const first = ["l", ...reach.from.map((condition) => bound("from", condition))].join(", ");
  const last = ["h", ...reach.to.map((condition) => bound("to", condition))].join(", ");
  const within = (end: string) => `CASE WHEN ${end} BETWEEN l AND h THEN ${end} END`;
  const ends = `${within(`greatest(${first})`)} AS f, ${within(`least(${last})`)} AS t`;
  const tested = steps.map((step, at) =>
    isStart(step) ? `bool_and(${bucketSql(step, "v", type, storage).value} = v) AS s${at}` : `FALSE AS s${at}`,
  );
  const values = `SELECT u, ${local("u")} AS v FROM (SELECT ${value} AS u FROM ${fromSql(source)})`;
  const found = `SELECT ${["min(u) AS l", "max(u) AS h", ...tested].join(", ")} FROM (${values})`;
  const answers = [
    ...["f", "t"].map((end) => milliseconds(local(end))),
    ...steps.map((_, at) => `CAST(s${at} AS BIGINT)`),
  ];
  return `SELECT [${answers.join(", ")}] FROM (SELECT *, ${ends} FROM (${found}))`;
}

function endsSql(
  { ends }: EndsProbe,
  plan: GroupsPlan,
  stored: readonly EngineColumn[],
  source: Source,
  params: string[],
): string {
  const { value, local } = instants(plan, ends, stored);
  const found = `SELECT min(${value}) AS l, max(${value}) AS h FROM ${groupedRowsSql(plan, source, params)}`;
  return `SELECT [${[local("l"), local("h")].map(milliseconds).join(", ")}] FROM (${found})`;
}

/** Of each series, its places from the first to the last but those that it has. */
function missingSql(
  { missing, within }: MissingProbe,
  plan: GroupsPlan,
  columns: readonly EngineColumn[],
  source: Source,
  params: string[],
): string {
  const stored = columnsIn(source, columns);
  const sqls = plan.groups.map((group) => groupSql(group, stored));
  const { column, bucket, width } = grouped(plan, missing);
  const type = { column: columnTypeOf(columnAt(columns, column)), width, bucket };
  const result = columnTypeOf(columnAt(groupedColumns(plan, columns), missing));
  const { value = "", key = "" } = sqls[missing] ?? {};
  const others = within ? sqls.flatMap((sql, at) => (at === missing ? [] : [sql.key])) : [];
  const named = others.map((sql, at) => `${sql} AS k${at}`);
  const place = `${placeOf({ ...type, value, key, result }).place} AS p`;
  const places = `SELECT DISTINCT ${[place, ...named].join(", ")} FROM ${groupedRowsSql(plan, source, params)}`;
  const by = named.length > 0 ? ` GROUP BY ${named.map((_, at) => `k${at}`).join(", ")}` : "";
  const series = `SELECT min(p) AS l, max(p) AS h, count(p) AS n FROM (${places}) WHERE p IS NOT NULL${by}`;
  const reach = "CAST(h AS DOUBLE) - CAST(l AS DOUBLE)"; // that of decimals can be beyond 128 bits
  const lacking = `CASE WHEN ${reach} < 1e38 THEN CAST(h - l + 1 - n AS DOUBLE) ELSE ${reach} END`;
  return `SELECT sum(${lacking}) FROM (${series})`;
}

function grouped({ groups }: GroupsPlan, at: number): GroupsPlan["groups"][number] {
  const group = groups[at];
  if (!group) throw new Error(`There is no group ${at}`);
  return group;
}

/**
 * Of strings that no row has, the values that are at most so many edits of bytes away without case and accents, nearest
 * first. Without edits, the work is linear in the text.
 */
function nearSql({ column, texts, edits, firstProbe }: NearSought, source: Source, params: string[]): string {
  const probes = texts.map((_, at) => `p${firstProbe + at}`);
  const lists = [
    `unnest(range(${texts.length})) AS i`,
    `unnest([${texts.map((text) => bind(text, "VARCHAR", params)).join(", ")}]) AS t`,
    `unnest([${edits.join(", ")}]) AS e`,
    `unnest([${probes.join(", ")}]) AS n`,
  ];
  const absent = `SELECT i, e, strip_accents(lower(t)) AS w FROM (SELECT ${lists.join(", ")} FROM found) WHERE n = 0`;
  const first = `SELECT * FROM (${absent}) ORDER BY i LIMIT ${SOUGHT_MAX}`;
  const isAbsent = probes.map((probe) => `${probe} = 0`).join(" OR ");
  const stored = `${fromSql(source)}, (SELECT 1 FROM found WHERE ${isAbsent}) AS absent`;
  const distinct = `SELECT DISTINCT c${column} AS v FROM ${stored} WHERE c${column} IS NOT NULL`;
  const folded = `SELECT v, strip_accents(lower(v)) AS f FROM (${distinct})`;
  const isEdited = edits.some((most) => most > 0);
  const edited = isEdited ? " WHEN e > 0 AND abs(strlen(f) - strlen(w)) <= e THEN levenshtein(f, w)" : "";
  const far = `SELECT i, e, v, CASE WHEN f = w THEN 0${edited} END AS d FROM (${folded}), (${first}) AS sought`;
  const ranked = "row_number() OVER (PARTITION BY i ORDER BY d, v)";
  const near = `SELECT * FROM (${far}) WHERE d <= e QUALIFY ${ranked} <= ${NEAR_MAX}`;
  return `SELECT to_json(list([to_json(i), to_json(v)] ORDER BY i, d, v)) FROM (${near})`;
}
