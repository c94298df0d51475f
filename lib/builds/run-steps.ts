import type { Instruction, RejectColumn } from "./compile";
import { PREVIEW } from "./compile";
import {
  type BuildBench,
  type BuildEvent,
  BuildStopped,
  type Reject,
  type RejectCount,
  type StepPreview,
  type StepRows,
} from "./plan";
import type { Relation } from "./relation";

import { ORIGIN_BITS, type Stage } from "./stage";

/** Maximum number of rejected cells kept as examples per column and step. Counts are exact. */
const EXAMPLES_MAX = 50;
const REJECTS_MAX = 1000;
const SHOWN_MAX = 200;

/** What a build collects while its tables are built. */
export interface Found {
  rejects: Reject[];
  rejectCounts: RejectCount[];
  rejectRows: number;
  stepRows: StepRows[];
  previews: StepPreview[];
  previewBytes: PreviewBytes;
}

export interface TableRun {
  bench: BuildBench;
  table: { name: string; at: number; steps: readonly { step: string }[] };
  stages: readonly Stage[];
  /** Number of rows of the table's input. */
  rows: number;
  /** The columns before the first step, index -1, and after each; whether a step keeps the order of rows. */
  relationAt(step: number): Relation | undefined;
  keepsOrder(step: number): boolean;
  found: Found;
  emit(event: BuildEvent): void;
}

/** Runs a table's instructions one by one. Throws BuildStopped if a guard or a cell demands it. */
export async function runSteps(run: TableRun, instructions: readonly Instruction[]): Promise<void> {
  let { rows } = run;
  let left: LeftOut = {};
  for (const instruction of instructions) {
    if (instruction.do === "drop") await run.bench.run(`DROP TABLE ${instruction.table}`);
    else if (instruction.do === "guard") await runGuard(run, instruction);
    else if (instruction.do === "preview") await takePreview(run, instruction, rows);
    else if (instruction.do === "count") {
      const counted = await runCount(run, instruction);
      if (instruction.what === "rows") rows = recordStep(run, instruction.step, { from: rows, to: counted });
      else left = { [instruction.what]: counted };
    } else {
      rows = await runStore(run, instruction, { rows, left });
      left = {};
    }
  }
}

/** Maximum number of cells that the statement of a preview computes. */
const PREVIEWED_CELLS_MAX = 2_000_000;

/**
 * Keeps the first rows before or after a step. A value that cannot be computed is reported by the build itself, if it
 * computes that value too; until then the rows are only unknown.
 */
async function takePreview(
  run: TableRun,
  { step, sql }: Extract<Instruction, { do: "preview" }>,
  rows: number,
): Promise<void> {
  const relation = run.relationAt(step);
  if (!relation || (step >= 0 && run.table.steps[step] === undefined)) return;
  const columns = relation.columns.slice(0, PREVIEW.columns);
  const mayRead = sql !== undefined && rows * columns.length <= PREVIEWED_CELLS_MAX;
  const read = mayRead ? await run.bench.rows(sql).catch(() => null) : null;
  const empty: StepPreview = {
    ...{ table: run.table.name, step, rows, keeps_order: run.keepsOrder(step), origins: [], cells: null },
    columns: columns.map(({ name, type }) => ({ name, type: type?.name ?? null })),
    more_columns: relation.columns.length - columns.length,
  };
  const whole = read && {
    ...empty,
    origins: read.map(([origin = null]) => origin),
    cells: read.map(([, ...cells]) => cells),
  };
  for (const preview of [whole, empty])
    if (preview && run.found.previewBytes.take(preview)) {
      run.found.previews.push(preview);
      return;
    }
}

/** How many bytes of previews a run may still keep: they are read as a whole. */
export class PreviewBytes {
  #left = 900_000;

  /** Whether there is room for a preview, which is then taken. */
  take(preview: StepPreview): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(preview)) + 1;
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

type LeftOut = Pick<StepRows, "dropped" | "unmatched">;

async function runCount(run: TableRun, { step, sql }: Extract<Instruction, { do: "count" }>): Promise<number> {
  const [row] = await guarded(run, step, () => run.bench.rows(sql));
  return Number(row?.[0] ?? 0);
}

/** Adds a step that changed the number of rows or left some out. Returns the number of rows after it. */
function recordStep(
  run: TableRun,
  step: number,
  { from, to, ...left }: Pick<StepRows, "from" | "to"> & LeftOut,
): number {
  const kind = run.table.steps[step]?.step;
  if (kind === undefined) return to;
  const counts = Object.fromEntries(Object.entries(left).filter(([, count]) => count > 0));
  const isReported = from !== to || Object.keys(counts).length > 0;
  const told = { table: run.table.name, step, kind, from, to, ...counts };
  if (isReported) run.found.stepRows.push(told);
  run.emit({ step: { table: run.table.name, step, kind, rows: to, ...(isReported && { told }) } });
  return to;
}

/** Number of rows of a stored table that meet a condition. */
export async function countRows(bench: BuildBench, table: string, condition = "TRUE"): Promise<number> {
  const [row] = await bench.rows(`SELECT CAST(count(*) AS VARCHAR) FROM ${table} WHERE ${condition}`);
  return Number(row?.[0] ?? 0);
}

async function runGuard(run: TableRun, { guard, step, sql }: Extract<Instruction, { do: "guard" }>): Promise<void> {
  const rows = await guarded(run, step, () => run.bench.rows(sql));
  const [first] = rows;
  if (first)
    throw new BuildStopped({ code: guard.code, message: guard.message(first.map(shown)), at: locationOf(run, step) });
}

async function runStore(
  run: TableRun,
  { table, step, sql, rejects, each }: Extract<Instruction, { do: "store" }>,
  before: { rows: number; left: LeftOut },
): Promise<number> {
  await guarded(run, step, () => run.bench.run(sql));
  if (rejects.length > 0) await gatherRejects(run, table, rejects);
  if (run.table.steps[step] === undefined) return before.rows;
  const dropped = rejects.flatMap(({ name, rule }) => (rule.onError === "drop_row" ? [`${name} IS NULL`] : []));
  const rows = await countRows(run.bench, table, dropped.length > 0 ? dropped.join(" AND ") : "TRUE");
  const left = each ? { [each.what]: before.rows * each.rows - rows } : before.left;
  return recordStep(run, step, { from: before.rows, to: rows, ...left });
}

async function gatherRejects(run: TableRun, table: string, rejects: readonly RejectColumn[]): Promise<void> {
  const counts = rejects.map(({ name }) => `CAST(count(${name}) AS VARCHAR)`);
  const any = rejects.map(({ name }) => `${name} IS NOT NULL`).join(" OR ");
  const [row = []] = await run.bench.rows(
    `SELECT ${counts.join(", ")}, CAST(count(CASE WHEN ${any} THEN 1 END) AS VARCHAR) FROM ${table}`,
  );
  run.found.rejectRows += Number(row[rejects.length] ?? 0);
  for (const [at, reject] of rejects.entries()) {
    const cells = Number(row[at] ?? 0);
    if (cells > 0) await takeReject(run, table, reject, cells);
  }
}

async function takeReject(
  run: TableRun,
  table: string,
  { name, step, rule }: RejectColumn,
  cells: number,
): Promise<void> {
  const limit = Math.max(1, Math.min(EXAMPLES_MAX, REJECTS_MAX - run.found.rejects.length));
  const rows = await run.bench.rows(
    `SELECT CAST(o AS VARCHAR), ${name} FROM ${table} WHERE ${name} IS NOT NULL ORDER BY p LIMIT ${limit}`,
  );
  const examples = await Promise.all(
    rows.map(async ([origin = null, value]) => ({ ...(await locateRow(run, origin)), value: shown(value) })),
  );
  if (rule.onError === "fail") {
    const [first] = examples;
    const location = first?.row === null || first === undefined ? "" : `${first.source}, row ${first.row}: `;
    const more = cells > 1 ? ` ${cells} cells are invalid.` : "";
    throw new BuildStopped({
      code: "schema_violation",
      message:
        `${location}${JSON.stringify(first?.value)} in ${JSON.stringify(rule.column)} ` +
        `${rule.reason}.${more} Correct the step, or set on_error for such cells.`,
      at: { ...locationOf(run, step), column: rule.column },
    });
  }
  run.found.rejectCounts.push({
    table: run.table.name,
    step,
    column: rule.column,
    cells,
    dropsRows: rule.onError === "drop_row",
  });
  run.emit({ rejects: { table: run.table.name, step, column: rule.column, cells } });
  for (const example of examples)
    if (run.found.rejects.length < REJECTS_MAX)
      run.found.rejects.push({ table: run.table.name, step, column: rule.column, ...example, reason: rule.reason });
}

const shown = (value: string | null | undefined): string => (value ?? "null").slice(0, SHOWN_MAX);

/** Where a person can find a row in the files. */
async function locateRow(
  run: TableRun,
  origin: string | null,
): Promise<{ source: string | null; partition: string | null; row: number | null }> {
  if (origin === null) return { source: null, partition: null, row: null };
  const whole = BigInt(origin);
  const stage = run.stages.find(({ source }) => BigInt(source.ordinal) === whole >> BigInt(ORIGIN_BITS));
  if (!stage) return { source: null, partition: null, row: null };
  const position = whole & ((1n << BigInt(ORIGIN_BITS)) - 1n);
  const [row] = await run.bench.rows(
    `SELECT CAST(n AS VARCHAR), CAST(part AS VARCHAR) FROM ${stage.table} WHERE p = ${position}`,
  );
  return {
    source: stage.source.name,
    partition: stage.source.parts[Number(row?.[1] ?? 0)]?.partition ?? null,
    row: row ? Number(row[0]) : null,
  };
}

export const locationOf = (run: Pick<TableRun, "table">, step: number) =>
  run.table.steps[step] === undefined
    ? { table: run.table.name, pointer: `/tables/${run.table.at}/columns` }
    : { table: run.table.name, step, pointer: `/tables/${run.table.at}/steps/${step}` };

const OVERFLOW = /overflow|out of range|could not be cast|too large|Could not (?:cast|represent)/i;

/** DuckDB ends a statement whose numbers do not fit their type. Any other error is a defect or a lack of resources. */
async function guarded<T>(run: TableRun, step: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const text = error instanceof Error ? error.message : "";
    if (!/^(?:Out of Range|Conversion) Error/.test(text) || !OVERFLOW.test(text)) throw error;
    const first = (text.split("\n")[0] ?? "")
      .replace(/^[\w ]+ Error: /, "")
      .replace(/!$/, ".")
      .slice(0, SHOWN_MAX);
    throw new BuildStopped({
      code: "value_overflow",
      message: `A number does not fit its type: ${first}`,
      at: locationOf(run, step),
    });
  }
}
