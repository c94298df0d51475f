import { columnTypeOf } from "@/lib/engine/types/column-types";
import { onlyRow } from "@/lib/readers/bench";
import { endsOf, histogramOf } from "./histogram";
import { type ProfiledColumn, valueSql } from "./profile-value";
import { quantilesOf } from "./quantiles";
import { aggregate, type Stage } from "./stage";
import type { Workbench } from "./workbench";

const TOP_VALUES_MAX = 20;
/** Up to this number every column's values are counted individually. */
const SMALL_ROWS = 200_000;
const SAMPLE_ROWS = 100_000;
const SQUARED_MAX = 1e140;
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
  const summaries = await summarise(bench, columns);
  const isFew = await fewValues(bench, columns, stage.rows);
  const profiles: string[] = [];
  for (const [index, column] of columns.entries()) {
    const from = await profiledTable(bench, columns, index);
    const members = { ...summaries[index], ...(await detail(bench, column, from, isFew[index] ?? false)) };
    profiles.push(`${JSON.stringify(stage.columns[index]?.name)}:${objectText(members)}`);
  }
  return `{${profiles.join(",")}}`;
}

const USUAL_COLUMNS = 100;
const COLUMNS_COPIED = 32;
const COPIED = "profiled";

/** The table with a column's values: the stage, or, if it is wide, a copy of a few columns, as DuckDB plans by width. */
async function profiledTable(bench: Workbench, columns: readonly ProfiledColumn[], index: number): Promise<string> {
  if (columns.length <= USUAL_COLUMNS) return "stage";
  if (index % COLUMNS_COPIED === 0) {
    const refs = columns.slice(index, index + COLUMNS_COPIED).map(({ ref }) => ref);
    await bench.run(`CREATE OR REPLACE TEMP TABLE ${COPIED} AS SELECT ${refs.join(", ")} FROM stage`);
  }
  return COPIED;
}

const objectText = (members: Members): string =>
  `{${Object.entries(members)
    .map(([name, json]) => `${JSON.stringify(name)}:${json}`)
    .join(",")}}`;

function describeColumn(ref: string, type: string, storage: string): ProfiledColumn {
  const { number, profile } = columnTypeOf({ type });
  return { name: ref, ref, type, storage, isFloat: number?.isFloat === true, form: profile };
}

/** Everything that one pass over a column can compute. */
async function summarise(bench: Workbench, columns: readonly ProfiledColumn[]): Promise<Members[]> {
  const wanted = columns.map(summarySql);
  const cells = await aggregate(bench, wanted.map(Object.values<string>));
  return wanted.map((members, index) => {
    const known = Object.keys(members).map((name, at) => [name, cells[index]?.[at]] as const);
    return Object.fromEntries(
      known.filter((entry): entry is readonly [string, string] => entry[1] !== null && entry[1] !== undefined),
    );
  });
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
function momentsSql({ ref, isFloat }: ProfiledColumn): Members {
  if (!isFloat) return { mean: numberSql(`avg(${ref})`), stddev: numberSql(`stddev_samp(${ref}::DOUBLE)`) };
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

async function detail(bench: Workbench, column: ProfiledColumn, from: string, isFew: boolean): Promise<Members> {
  if (!column.form.isCounted) return {};
  const { ref, isFloat } = column;
  const values = `SELECT ${ref} AS v FROM ${from} WHERE ${ref} IS NOT NULL${isFloat ? ` AND NOT isnan(${ref})` : ""}`;
  await bench.run(
    isFew
      ? `CREATE OR REPLACE TEMP TABLE value_counts AS SELECT v, count(*) AS n FROM (${values}) GROUP BY v`
      : `CREATE OR REPLACE TEMP VIEW value_rows AS SELECT v, 1 AS n FROM (${values})`,
  );
  const relation = isFew ? "value_counts" : "value_rows";
  const counted = isFew ? await countValues(bench, column) : await estimateValues(bench, ref, from);
  const scaled = column.form.histogram ? await spread(bench, column, relation) : {};
  return { ...counted, ...scaled };
}

async function countValues(bench: Workbench, column: ProfiledColumn): Promise<Members> {
  const value = { ...column, ref: "v" };
  const top = await bench.rows(
    `SELECT ${valueSql(value, "v")}, n::VARCHAR FROM value_counts ORDER BY n DESC, v LIMIT ${TOP_VALUES_MAX}`,
  );
  const [distinct] = await onlyRow(bench, "SELECT count(*)::VARCHAR FROM value_counts");
  const shown = top.flatMap(([json, count]) => (json ? [`{"value":${json},"count":${count}}`] : []));
  return {
    distinct_count: `{"value":${distinct},"exact":true}`,
    ...(shown.length > 0 ? { top_values: `[${shown.join(",")}]` } : {}),
  };
}

async function estimateValues(bench: Workbench, ref: string, from: string): Promise<Members> {
  const [distinct] = await onlyRow(
    bench,
    `SELECT least(approx_count_distinct(${ref}), count(${ref}))::VARCHAR FROM ${from}`,
  );
  return { distinct_count: `{"value":${distinct},"exact":false}` };
}

async function spread(
  bench: Workbench,
  column: ProfiledColumn,
  relation: "value_counts" | "value_rows",
): Promise<Members> {
  const value = { ...column, ref: "v" };
  const ends = await endsOf(bench, value, relation);
  const found = await quantilesOf(bench, value, relation, ends);
  if (!found) return {};
  const histogram = ends && (await histogramOf(bench, value, relation, found.core, ends));
  return { quantiles: objectText(found.json), ...(histogram ? { histogram } : {}) };
}
