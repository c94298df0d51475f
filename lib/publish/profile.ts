import { type ProfiledColumn, valueSql } from "@/lib/engine/sql/profile-value";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { onlyRow } from "@/lib/readers/bench";
import { endsOf, histogramsOf } from "./histogram";
import { quantilesOf } from "./quantiles";
import { aggregate, type Stage } from "./stage";
import type { Workbench } from "./workbench";

const TOP_VALUES_MAX = 20;
/** Up to this number every column's values are counted individually. */
const SMALL_ROWS = 200_000;
const SAMPLE_ROWS = 100_000;
/** Columns that one statement profiles, of a table with few rows: planning a column takes longer than reading it. */
const COLUMNS_TOGETHER = 64;
const SQUARED_MAX = 1e140;
/** Decimals of more digits overflow where they are summed. */
const SUMMED_DIGITS = 18;
/** A power of two: sums of the largest doubles remain finite and no digit is lost. */
const MEAN_SCALE = 2 ** 64;

/** JSON members of one profile: name → JSON text. Text, so that 64-bit values keep their digits. */
type Members = Record<string, string>;

/**
 * The profile of every column, over all rows, as JSON text: {name: profile}. NaN is counted and excluded from
 * everything else.
 */
export async function profileStage(bench: Workbench, stage: Stage): Promise<string> {
  const storages = await bench.rows("SELECT column_type FROM (DESCRIBE stage)");
  const columns = stage.columns.map(({ type }, index) => describeColumn(`c${index}`, type, storages[index]?.[0] ?? ""));
  const isFew = await fewValues(bench, columns, stage.rows);
  const found: Members[] = columns.map(() => ({}));
  const together = Math.max(1, Math.min(COLUMNS_TOGETHER, Math.floor(SMALL_ROWS / Math.max(1, stage.rows))));
  const alike = Map.groupBy(columns.keys(), (at) => `${columns[at]?.type} ${columns[at]?.storage} ${isFew[at]}`);
  for (const group of alike.values())
    for (let start = 0; start < group.length; start += together) {
      const indexes = group.slice(start, start + together);
      const [first = 0] = indexes;
      const column = columns[first];
      if (!column) continue;
      const profiled = { column: { ...column, ref: "v" }, indexes, rows: stage.rows };
      await summarise(bench, profiled, found);
      if (column.form.isCounted) await detail(bench, profiled, isFew[first] === true, found);
    }
  const profiles = stage.columns.map(({ name }, at) => `${JSON.stringify(name)}:${objectText(found[at] ?? {})}`);
  return `{${profiles.join(",")}}`;
}

const objectText = (members: Members): string =>
  `{${Object.entries(members)
    .map(([name, json]) => `${JSON.stringify(name)}:${json}`)
    .join(",")}}`;

function describeColumn(ref: string, type: string, storage: string): ProfiledColumn {
  const { number, profile } = columnTypeOf({ type });
  return { name: ref, ref, type, storage, isFloat: number?.isFloat === true, form: profile };
}

/** Columns of one type, whose values `v` one statement profiles, one column below the other. */
interface Profiled {
  column: ProfiledColumn;
  /** Their indexes. */
  indexes: readonly number[];
  rows: number;
}

/** SQL of the columns' cells: `index` and `v`. */
function cellsSql(indexes: readonly number[]): string {
  const [index, ...more] = indexes;
  if (more.length === 0) return `(SELECT ${index} AS place, c${index} AS v FROM stage)`;
  const cells = indexes.map((at) => `c${at}`).join(", ");
  return `(SELECT unnest([${indexes.join(", ")}]) AS place, unnest([${cells}]) AS v FROM stage)`;
}

/** Everything that one pass over the columns can compute. */
async function summarise(bench: Workbench, { column, indexes, rows }: Profiled, found: Members[]): Promise<void> {
  const wanted = summarySql(column);
  // without rows there are no groups, and all columns are alike
  const isGrouped = indexes.length > 1 && rows > 0;
  const selected = [isGrouped ? "place::VARCHAR" : "NULL", ...Object.values(wanted)].join(", ");
  const answers = await bench.rows(`SELECT ${selected} FROM ${cellsSql(indexes)}${isGrouped ? " GROUP BY place" : ""}`);
  const members = answers.map(([index, ...cells]) => {
    const known = Object.keys(wanted).flatMap((name, at) => (cells[at] == null ? [] : [[name, cells[at]] as const]));
    return [Number(index), Object.fromEntries(known)] as const;
  });
  const byIndex = new Map(members);
  for (const index of indexes) Object.assign(found[index] ?? {}, isGrouped ? byIndex.get(index) : members[0]?.[1]);
}

/**
 * Does not use FILTER: each filtered aggregate of DuckDB allocates memory for the cells of all of them, which exhausts
 * the memory for tables with hundreds of columns.
 */
const countSql = (condition: string): string => `(count(CASE WHEN ${condition} THEN 1 END))`;

/** Member → SQL of its JSON text; SQL NULL leaves it out. */
function summarySql(column: ProfiledColumn): Members {
  const { ref, form } = column;
  const members: Members = { null_count: `(count(*) - count(${ref}))::VARCHAR` };
  if (column.isFloat) members.nan_count = `${countSql(`isnan(${ref})`)}::VARCHAR`;
  if (form.isOrdered) {
    members.min = valueSql(column, `min(${withoutNan(column)})`);
    members.max = valueSql(column, `max(${withoutNan(column)})`);
  }
  if (form.hasMoments) Object.assign(members, momentsSql(column));
  if (form.countsTrue) members.true_count = `${countSql(ref)}::VARCHAR`;
  const length = form.length?.sql(ref);
  if (length)
    members.length =
      `CASE WHEN count(${ref}) > 0 THEN '{"min":' || min(${length}) || ',"max":' || max(${length}) || ',"mean":' ` +
      `|| to_json(avg(${length})) || '}' END`;
  return members;
}

/** Mean and sample standard deviation of the finite values; no deviation if squares would overflow a double. */
function momentsSql({ ref, isFloat, storage }: ProfiledColumn): Members {
  const mean =
    Number(/^DECIMAL\((\d+)/.exec(storage)?.[1] ?? 0) > SUMMED_DIGITS ? `favg(${ref}::DOUBLE)` : `avg(${ref})`;
  if (!isFloat) return { mean: numberSql(mean), stddev: numberSql(`stddev_samp(${ref}::DOUBLE)`) };
  const small = `CASE WHEN abs(${ref}) < ${SQUARED_MAX} THEN ${ref}::DOUBLE END`;
  const deviation =
    `CASE WHEN ${countSql(`isfinite(${ref}) AND abs(${ref}) >= ${SQUARED_MAX}`)} = 0 THEN stddev_samp(${small}) ` +
    "END";
  return {
    mean: numberSql(`(avg(CASE WHEN isfinite(${ref}) THEN ${ref}::DOUBLE / ${MEAN_SCALE} END) * ${MEAN_SCALE})`),
    stddev: numberSql(`(${deviation})`),
  };
}

const numberSql = (sql: string): string => `CASE WHEN isfinite(${sql}) THEN to_json(${sql})::VARCHAR END`;

const withoutNan = ({ isFloat, ref }: ProfiledColumn): string =>
  isFloat ? `CASE WHEN NOT isnan(${ref}) THEN ${ref} END` : ref;

/**
 * Which columns repeat their values so often that counting each value is cheap, judged by rows spread over the entire
 * table.
 */
async function fewValues(bench: Workbench, columns: readonly ProfiledColumn[], rows: number): Promise<boolean[]> {
  if (rows <= SMALL_ROWS) return columns.map(({ form }) => form.isCounted === true);
  const every = Math.ceil(rows / SAMPLE_ROWS);
  const counts = columns.map(({ ref, form }) =>
    form.isCounted ? `(count(DISTINCT ${ref}) * 2 < count(*))::VARCHAR` : "'false'",
  );
  return (await onlyRow(bench, `SELECT ${counts.join(", ")} FROM stage WHERE rowid % ${every} = 0`)).map(
    (few) => few === "true",
  );
}

/** What is found in the values themselves. */
async function detail(
  bench: Workbench,
  { column, indexes }: Profiled,
  isFew: boolean,
  found: readonly Members[],
): Promise<void> {
  const isValue = `v IS NOT NULL${column.isFloat ? " AND NOT isnan(v)" : ""}`;
  const values = `(SELECT place, v FROM ${cellsSql(indexes)} WHERE ${isValue})`;
  await bench.run(
    isFew
      ? `CREATE OR REPLACE TEMP TABLE value_counts AS SELECT place, v, count(*) AS n FROM ${values} GROUP BY place, v`
      : `CREATE OR REPLACE TEMP VIEW value_rows AS SELECT place, v, 1 AS n FROM ${values}`,
  );
  const counted = isFew ? await countValues(bench, column, indexes) : await estimateValues(bench, indexes);
  const relation = isFew ? "value_counts" : "value_rows";
  const scaled = column.form.histogram ? await spread(bench, column, relation) : new Map<number, Members>();
  for (const index of indexes) Object.assign(found[index] ?? {}, counted.get(index), scaled.get(index));
}

/** The most frequent values by their rows: an aggregate returns a zero without its sign. */
const TOP_VALUES =
  "SELECT place, unnest(top) AS row, generate_subscripts(top, 1) AS rank FROM (SELECT place, " +
  `arg_min(rowid, {'n': -n, 'v': v}, ${TOP_VALUES_MAX}) AS top FROM value_counts GROUP BY place)`;

async function countValues(
  bench: Workbench,
  column: ProfiledColumn,
  indexes: readonly number[],
): Promise<Map<number, Members>> {
  const counts = await bench.rows("SELECT place::VARCHAR, count(*)::VARCHAR FROM value_counts GROUP BY place");
  const top = await bench.rows(
    `SELECT t.place::VARCHAR, ${valueSql(column, "v")}, n::VARCHAR FROM (${TOP_VALUES}) AS t JOIN value_counts AS c ` +
      "ON c.rowid = t.row ORDER BY rank",
  );
  const distinct = new Map(counts.map(([index, count]) => [Number(index), count]));
  const shown = Map.groupBy(
    top.filter(([, json]) => json),
    ([index]) => Number(index),
  );
  return new Map(
    indexes.map((index) => {
      const values = shown.get(index)?.map(([, json, count]) => `{"value":${json},"count":${count}}`);
      const members = { distinct_count: `{"value":${distinct.get(index) ?? 0},"exact":true}` };
      return [index, { ...members, ...(values && { top_values: `[${values.join(",")}]` }) }];
    }),
  );
}

async function estimateValues(bench: Workbench, indexes: readonly number[]): Promise<Map<number, Members>> {
  const counts = indexes.map((at) => [`least(approx_count_distinct(c${at}), count(c${at}))::VARCHAR`]);
  const found = await aggregate(bench, counts);
  return new Map(indexes.map((at, index) => [at, { distinct_count: `{"value":${found[index]?.[0]},"exact":false}` }]));
}

/** By column, its quantiles and its histogram. */
async function spread(
  bench: Workbench,
  column: ProfiledColumn,
  relation: "value_counts" | "value_rows",
): Promise<Map<number, Members>> {
  const ends = await endsOf(bench, column, relation);
  const quantiles = await quantilesOf(bench, column, relation, ends);
  const spans = [...quantiles].flatMap(([index, { core }]) => {
    const whole = ends.get(index);
    return whole ? [{ index, core, whole }] : [];
  });
  const histograms = await histogramsOf(bench, column, relation, spans);
  return new Map(
    [...quantiles].map(([index, { json }]) => {
      const histogram = histograms.get(index);
      return [index, { quantiles: objectText(json), ...(histogram !== undefined && { histogram }) }];
    }),
  );
}
