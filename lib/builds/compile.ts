import {
  COMPUTED_MAX,
  type ComputedCells,
  type Guard,
  type LeftOutRows,
  type Planned,
  type PlannedSql,
  type RejectRule,
} from "./steps/step";

/** A column of a stored table that holds the text of bad cells, and null for good ones. */
export interface RejectColumn {
  name: string;
  step: number;
  rule: RejectRule;
}

/** The compiled steps of a table: statements, and what to inspect between them. */
export type Instruction =
  | { do: "store"; table: string; step: number; sql: string; rejects: readonly RejectColumn[]; each?: Each }
  /** A SELECT of one number: the rows after the step, or what it leaves out. */
  | { do: "count"; what: "rows" | LeftOutRows["what"]; step: number; sql: string }
  | { do: "guard"; step: number; sql: string; guard: Guard }
  /** A SELECT of the first rows after the step, as text: origin and cells; undefined if it would cost too much. */
  | { do: "preview"; step: number; sql: string | undefined }
  | { do: "drop"; table: string };

/** Without what it leaves out, each row becomes `rows` rows. */
export interface Each {
  what: LeftOutRows["what"];
  rows: number;
}

export interface CompiledSteps {
  instructions: Instruction[];
  /** The stored table that holds the result in its order: `c0 …`, `o`. */
  table: string;
}

/** Maximum number of row-wise steps that are fused. */
const FUSED_MAX = 20;

interface State {
  from: string;
  width: number;
  fused: number;
  /** Columns that the fused steps compute. */
  computed: number;
  rejects: RejectColumn[];
  /** The underlying stored table, and whether `from` is just that table. */
  base: string;
  isBare: boolean;
  count: number;
  rejectCount: number;
  /** Columns of fused steps that previews plan. */
  previewed: number;
  instructions: Instruction[];
}

export interface CompileInput {
  /** Begins the names of stored tables. */
  prefix: string;
  /** The stored table to begin with, and its origin column as SQL. */
  table: string;
  origin: string;
  width: number;
  steps: readonly Planned[];
  /** Whether the first rows before the first step and after each are read as well. */
  hasPreviews: boolean;
  rowsOf(name: string): string;
}

/** How much of the rows before and after a step is read. */
export const PREVIEW = { rows: 10, columns: 50, characters: 200 } as const;

/** Turns planned steps into statements. Pure. Every name in the statements is generated here. */
export function compileSteps(input: CompileInput): CompiledSteps {
  const state: State = {
    from: stored(input.table, input.width, input.origin),
    width: input.width,
    fused: 0,
    computed: 0,
    rejects: [],
    base: input.table,
    isBare: true,
    count: 0,
    rejectCount: 0,
    previewed: 0,
    instructions: [],
  };
  if (input.hasPreviews) preview(state, -1);
  for (const [step, { relation, sql }] of input.steps.entries()) {
    apply(state, sql, step, input, relation.columns.length);
    state.width = relation.columns.length;
    if (state.fused >= FUSED_MAX || state.rejects.some(({ rule }) => rule.onError === "drop_row"))
      settle(state, step, input);
    if (input.hasPreviews) preview(state, step);
  }
  if (!state.isBare || state.base === input.table) settle(state, input.steps.length - 1, input);
  if (!state.isBare) settle(state, input.steps.length - 1, input);
  return { instructions: state.instructions, table: state.base };
}

const cells = (width: number): string => Array.from({ length: width }, (_, index) => `c${index}`).join(", ");

/**
 * A stored table as input of a step. `p` is a column: over a projected `rowid`, DuckDB 1.5.6 rewrites the first row of
 * each group to a semi-join by the wrong column, and returns wrong rows or none.
 */
const stored = (table: string, width: number, origin = "o"): string =>
  `(SELECT ${cells(width)}, p, ${origin} AS o FROM ${table})`;

const layered = (from: string, layers: readonly (readonly string[])[]): string =>
  layers.reduce((inner, layer) => (layer.length > 0 ? `(SELECT *, ${layer.join(", ")} FROM ${inner})` : inner), from);

function apply(state: State, sql: PlannedSql, step: number, input: CompileInput, width: number): void {
  if (sql.form !== "cells" && state.rejects.length > 0) settle(state, step - 1, input);
  if (sql.form === "cells") for (const part of [...(sql.before ?? []), sql.cells]) project(state, part(), step, input);
  else if (sql.form === "rows") filter(state, sql, step);
  else query(state, sql, step, input, width);
}

function project(state: State, { values, layers, rejects }: ComputedCells, step: number, input: CompileInput): void {
  const computed = values.filter((value, index) => value !== `c${index}`).length;
  if (state.computed > 0 && state.computed + computed > COMPUTED_MAX) settle(state, step - 1, input);
  const added = rejects.map((rule): RejectColumn => ({ name: `x${state.rejectCount++}`, step, rule }));
  const named = values.map((value, index) => `${value} AS c${index}`);
  const earlier = state.rejects.map(({ name }) => name);
  const tests = added.map(({ name, rule }) => `CASE WHEN ${rule.test} THEN coalesce(${rule.text}, '') END AS ${name}`);
  state.from = `(SELECT ${[...named, "p", "o", ...earlier, ...tests].join(", ")} FROM ${layered(state.from, layers)})`;
  state.rejects.push(...added);
  state.fused += 1;
  state.computed += computed;
  state.isBare = false;
}

/** A table's previews plan this many columns of fused steps: DuckDB takes half a millisecond for each. */
const PREVIEWED_MAX = 5_000;

/** Reads rows and changes nothing, so that a sample is built by the same statements as a full run. */
function preview(state: State, step: number): void {
  const { instructions, from, width } = state;
  state.previewed += width * (state.fused + 1);
  if (state.previewed > PREVIEWED_MAX) {
    instructions.push({ do: "preview", step, sql: undefined });
    return;
  }
  const columns = Array.from({ length: Math.min(width, PREVIEW.columns) }, (_, at) => at);
  const shown = columns.map((at) => `left(CAST(c${at} AS VARCHAR), ${PREVIEW.characters})`);
  const sql = `SELECT ${["CAST(o AS VARCHAR)", ...shown].join(", ")} FROM ${from} ORDER BY p LIMIT ${PREVIEW.rows}`;
  instructions.push({ do: "preview", step, sql });
}

/** Only the columns of the test are computed for the count. */
function filter(state: State, sql: Extract<PlannedSql, { form: "rows" }>, step: number): void {
  const { test, layers } = sql.where();
  state.from = `(SELECT ${cells(state.width)}, p, o FROM ${layered(state.from, layers)} WHERE ${test})`;
  state.fused += 1;
  state.isBare = false;
  const counted = `SELECT CAST(count(*) AS VARCHAR) FROM ${state.from}`;
  state.instructions.push({ do: "count", what: "rows", step, sql: counted });
}

function query(
  state: State,
  sql: Extract<PlannedSql, { form: "query" }>,
  step: number,
  input: CompileInput,
  width: number,
): void {
  const refs = { rows: input.rowsOf };
  const by = sql.count?.by;
  const isReadTwice = sql.guards !== undefined || (by !== undefined && "sql" in by);
  if (isReadTwice && !state.isBare) settle(state, step - 1, input);
  for (const guard of sql.guards ?? []) {
    state.instructions.push({ do: "guard", step, guard, sql: guard.sql(state.from, refs) });
  }
  if (sql.count && by && "sql" in by) {
    state.instructions.push({ do: "count", what: sql.count.what, step, sql: by.sql(state.from, refs) });
  }
  const each = sql.count && by && "each" in by ? { what: sql.count.what, rows: by.each } : undefined;
  store(state, sql.sql(state.from, refs), { step, rejects: [], width, each }, input);
}

/** Stores the result so far, so that its rejects can be inspected and its rows get their own positions. */
function settle(state: State, step: number, input: CompileInput): void {
  const names = state.rejects.map(({ name }) => name);
  const rejects = state.rejects;
  const select = `SELECT ${[cells(state.width), "o", ...names].join(", ")} FROM ${state.from}`;
  store(state, select, { step, rejects, width: state.width }, input);
  const dropped = rejects.filter(({ rule }) => rule.onError === "drop_row").map(({ name }) => `${name} IS NULL`);
  if (dropped.length === 0) return;
  state.from = `(SELECT ${cells(state.width)}, p, o FROM ${state.base} WHERE ${dropped.join(" AND ")})`;
  state.isBare = false;
}

interface Stored {
  step: number;
  rejects: readonly RejectColumn[];
  width: number;
  each?: Each | undefined;
}

function store(state: State, select: string, { step, rejects, width, each }: Stored, input: CompileInput): void {
  const table = `${input.prefix}_${state.count++}`;
  const sql = `CREATE TABLE ${table} AS SELECT *, row_number() OVER () - 1 AS p FROM (${select})`;
  state.instructions.push({ do: "store", table, step, sql, rejects, ...(each && { each }) });
  if (state.base !== input.table) state.instructions.push({ do: "drop", table: state.base });
  Object.assign(state, { base: table, fused: 0, computed: 0, rejects: [], isBare: true });
  state.from = stored(table, width);
}
