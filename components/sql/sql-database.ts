import type { DuckDBBindings, DuckDBConnection } from "@duckdb/duckdb-wasm/blocking";
import { ParquetFile } from "parquet-wasm/esm";
import { columnTypeOfDuckdb } from "@/lib/engine/types/column-types";
import { formatBytes, formatPlural } from "@/lib/kernel/format";
import { QueryProblem, type Result, type ResultColumn, type SqlColumn, type SqlTable } from "./messages";

/** The most bytes that the columns of one table may take in memory. */
export const TABLE_BYTES_MAX = 200_000_000;

/** Reads columns of a table's verified file, as an Arrow stream with each of them under its own name. */
export type ReadColumns = (table: SqlTable, columns: readonly string[]) => Promise<Uint8Array>;

/**
 * Databases of their own, each in memory: the tables without rows, of which plans are made; the columns that were read;
 * the tables that queries read, which are views of those; the last result. The schema that a query may name, `main`, is
 * in each of them. No query names the databases.
 */
const OWN = "parquetry-";
const [SHAPES, FILES, TABLES, RESULTS] = [`${OWN}shapes`, `${OWN}files`, `${OWN}tables`, `${OWN}results`] as const;
const ABSENT = "column not read";
/** `TRY` makes NULL of an error. */
const HIDES_ERRORS = /\btry\s*\(/i;

/** Statements that are queries only within another one. */
const WRAPPED = new Set(["describe", "desc", "show", "summarize"]);

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const within = (database: string, name: string): string => `${quoted(database)}.main.${quoted(name)}`;
const RESULT = within(RESULTS, "rows");

interface PlanNode {
  name: string;
  children?: readonly PlanNode[];
  extra_info?: { Table?: string; Projections?: string | readonly string[] };
}

/**
 * DuckDB over tables whose columns are read when a query first needs them. Every table is a view with all of its
 * columns, so that `*` and positions mean the same whatever has been read; which columns a query needs is what DuckDB's
 * own plan over empty tables says. What was not read is an error in its view, after which all columns are read:
 * recursive queries and PIVOT have plans that do not tell.
 */
export class SqlDatabase {
  readonly #bindings: DuckDBBindings;
  readonly #connection: DuckDBConnection;
  readonly #optimizers: string;
  #tables: readonly SqlTable[] = [];
  readonly #read = new Map<string, ReadonlySet<string>>();

  constructor(bindings: DuckDBBindings) {
    bindings.open({});
    this.#bindings = bindings;
    this.#connection = bindings.connect();
    for (const name of [SHAPES, FILES, TABLES, RESULTS]) this.#connection.query(`ATTACH ':memory:' AS ${quoted(name)}`);
    for (const name of ["autoinstall_known_extensions", "autoload_known_extensions", "enable_external_access"])
      this.#connection.query(`SET ${name} = false`);
    this.#use(TABLES);
    this.#optimizers = this.#texts("SELECT name FROM duckdb_optimizers() WHERE name <> 'unused_columns'").flat().join();
  }

  /** Runs one query, having read what it needs. Its result takes the place of the one before. */
  async run(tables: readonly SqlTable[], text: string, read: ReadColumns, onPlanned: () => void): Promise<Result> {
    const sql = this.#oneQuery(text);
    this.#setTables(tables);
    const needed = this.#scans(this.#plan(sql));
    const readAll = async () => {
      for (const table of needed.keys()) await this.#readColumns(table, table.columns, read);
    };
    if (HIDES_ERRORS.test(sql)) await readAll();
    for (const [table, columns] of needed) await this.#readColumns(table, columns, read);
    onPlanned();
    const started = performance.now();
    try {
      this.#create(sql);
    } catch (error) {
      if (!String(error).includes(ABSENT)) throw error;
      await readAll();
      this.#create(sql);
    }
    const milliseconds = performance.now() - started;
    const [[rows = "0"] = []] = this.#texts(`SELECT count(*) FROM ${RESULT}`);
    return {
      columns: this.#resultColumns(),
      rows: Number(rows),
      milliseconds,
      tables: [...needed.keys()].map(({ name }) => name),
    };
  }

  /** Rows of the last result, each as its values' texts in DuckDB's form; null where there is none. */
  rows(columns: readonly ResultColumn[], from: number, count: number): (string | null)[][] {
    return this.#texts(`SELECT ${columns.map(asText).join(", ")} FROM ${RESULT} LIMIT ${count} OFFSET ${from}`);
  }

  /** The last result as an Arrow stream. Values of types that others do not read are text. */
  arrow(columns: readonly ResultColumn[]): Uint8Array {
    const values = columns.map((column) => `${this.#plainValue(column)} AS ${quoted(column.name)}`);
    // biome-ignore lint/correctness/useHookAtTopLevel: it is no hook.
    const file = this.#connection.useUnsafe((bindings, connection) =>
      bindings.runQuery(connection, `SELECT ${values.join(", ")} FROM ${RESULT}`),
    );
    const end = file.length - ARROW_TAIL;
    const footer = new DataView(file.buffer, file.byteOffset + end).getInt32(0, true);
    return file.subarray(ARROW_HEAD, end - footer);
  }

  #plainValue({ name, sql }: ResultColumn): string {
    const value = quoted(name);
    if (columnTypeOfDuckdb(sql)) return value;
    if (sql !== "HUGEINT") return `CAST(${value} AS VARCHAR)`;
    const [[isLong] = []] = this.#texts(`SELECT max(abs(CAST(${value} AS DOUBLE))) >= 1e37 FROM ${RESULT}`);
    return `CAST(${value} AS ${isLong === "true" ? "VARCHAR" : "DECIMAL(38,0)"})`;
  }

  /** In which of the databases names are looked up. */
  #use(database: string): void {
    this.#connection.query(`USE ${quoted(database)}.main`);
  }

  #create(sql: string): void {
    this.#ask(`CREATE OR REPLACE TABLE ${RESULT} AS ${sql}`);
  }

  #resultColumns(): ResultColumn[] {
    return this.#texts(`SELECT column_name, column_type FROM (DESCRIBE ${RESULT})`).map(([name, sql]) => ({
      name: name ?? "",
      type: columnTypeOfDuckdb(sql ?? "")?.name ?? (sql === "HUGEINT" ? "decimal(38,0)" : "string"),
      sql: sql ?? "",
    }));
  }

  /** The text without what follows its query. Several queries are refused: all but one would have no effect. */
  #oneQuery(text: string): string {
    const bytes = new TextEncoder().encode(text);
    const { offsets, types } = this.#bindings.tokenize(text);
    const tokens = [...offsets].map((offset, at) => ({ offset, isComment: types[at] === COMMENT }));
    const written = tokens.filter(({ isComment }) => !isComment);
    const end = written.findIndex(({ offset }) => bytes[offset] === SEMICOLON);
    const [first] = end === 0 ? [] : written;
    if (!first) throw new QueryProblem("There is no query yet. Write one, such as: FROM a_table LIMIT 10");
    const next = end === -1 ? undefined : written.slice(end).find(({ offset }) => bytes[offset] !== SEMICOLON);
    const part = (from: number, to?: number) => new TextDecoder().decode(bytes.subarray(from, to));
    if (next) {
      const line = part(0, next.offset).split("\n").length;
      throw new QueryProblem(`There are several queries. Run one at a time: remove what begins in line ${line}.`);
    }
    const query = part(first.offset, end === -1 ? undefined : written[end]?.offset);
    if (query.includes(OWN)) throw new QueryProblem(`A query cannot contain “${OWN}”, which this page uses itself.`);
    const word = /^[a-z]+/i.exec(query)?.[0].toLowerCase() ?? "";
    return WRAPPED.has(word) ? `SELECT * FROM (${query}\n)` : query;
  }

  #setTables(tables: readonly SqlTable[]): void {
    for (const table of this.#tables.filter((each) => !tables.some((other) => isSame(each, other)))) {
      this.#connection.query(`DROP TABLE IF EXISTS ${within(SHAPES, table.name)}`);
      this.#connection.query(`DROP VIEW IF EXISTS ${within(TABLES, table.name)}`);
      this.#connection.query(`DROP TABLE IF EXISTS ${within(FILES, table.name)}`);
      this.#read.delete(table.name);
      this.#tables = this.#tables.filter((each) => each !== table);
    }
    for (const table of tables.filter((each) => !this.#tables.some((other) => isSame(each, other)))) {
      const columns = table.columns.map(({ name, sql }) => `${quoted(name)} ${sql}`);
      this.#connection.query(`CREATE OR REPLACE TABLE ${within(SHAPES, table.name)} (${columns.join(", ")})`);
      this.#setView(table, new Set(), `(SELECT 1 WHERE CAST(error('${ABSENT}') AS BOOLEAN))`);
      this.#tables = [...this.#tables, table];
    }
  }

  #setView({ name, columns }: SqlTable, read: ReadonlySet<string>, from: string): void {
    const values = columns.map((column) => {
      const value = read.has(column.name) ? quoted(column.name) : `error('${ABSENT}')`;
      return `CAST(${value} AS ${column.sql}) AS ${quoted(column.name)}`;
    });
    const view = within(TABLES, name);
    this.#connection.query(`CREATE OR REPLACE VIEW ${view} AS SELECT ${values.join(", ")} FROM ${from}`);
  }

  /** DuckDB's plan of a query over the empty tables, as JSON, in which nothing is optimized but that unused columns are dropped. */
  #plan(sql: string): string {
    this.#use(SHAPES);
    this.#connection.query(`SET disabled_optimizers = '${this.#optimizers}'`);
    try {
      return this.#texts(`EXPLAIN (FORMAT json) ${sql}`)[0]?.[1] ?? "[]";
    } finally {
      this.#connection.query("SET disabled_optimizers = ''");
      this.#use(TABLES);
    }
  }

  /** The columns of each table that a plan reads; the smallest one where only rows are counted. */
  #scans(plan: string): Map<SqlTable, readonly SqlColumn[]> {
    const nodes = nodesOf(JSON.parse(plan) as PlanNode[]);
    const found = new Map<SqlTable, readonly SqlColumn[]>();
    for (const { Table: of, Projections: shown = [] } of nodes.flatMap(({ extra_info: info }) => info ?? [])) {
      const table = this.#tables.find(({ name }) => of === name || of === `${SHAPES}.main.${name}`);
      if (!table) continue;
      const columns = columnsNamed(
        table,
        [shown].flat().filter((name) => name !== ""),
      );
      found.set(table, [...new Set([...(found.get(table) ?? []), ...columns])]);
    }
    return found;
  }

  async #readColumns(table: SqlTable, columns: readonly SqlColumn[], read: ReadColumns): Promise<void> {
    const known = this.#read.get(table.name);
    if (known && columns.every(({ name }) => known.has(name))) return;
    const wanted = table.columns.filter((column) => known?.has(column.name) || columns.includes(column));
    const bytes = wanted.reduce((sum, column) => sum + column.bytes, 0);
    if (bytes > TABLE_BYTES_MAX) throw new QueryProblem(tooLarge(table, wanted.length, bytes), table.name);
    const names = wanted.map(({ name }) => name);
    const stream = await read(table, names);
    this.#use(FILES);
    try {
      this.#connection.query(`DROP TABLE IF EXISTS ${within(FILES, table.name)}`);
      this.#connection.insertArrowFromIPCStream(stream, { name: table.name, create: true });
    } finally {
      this.#use(TABLES);
    }
    this.#read.set(table.name, new Set(names));
    this.#setView(table, new Set(names), within(FILES, table.name));
  }

  /** The values of a query whose columns are all strings. */
  #texts(sql: string): (string | null)[][] {
    const found = this.#ask(sql);
    const columns = found.schema.fields.map((_, at) => found.getChildAt(at));
    return Array.from({ length: found.numRows }, (_, row) =>
      columns.map((column) => {
        const value: unknown = column?.get(row);
        return value === null || value === undefined ? null : String(value);
      }),
    );
  }

  #ask(sql: string) {
    try {
      return this.#connection.query(sql);
    } catch (error) {
      throw new QueryProblem(problemText(error, sql));
    }
  }
}

/** An Arrow file is a stream between a mark of 8 bytes and a footer, followed by its length and a mark of 6 bytes. */
const ARROW_HEAD = 8;
const ARROW_TAIL = 10;

/** Rows that are decoded at once. */
const BATCH_ROWS = 65_536;

/** Some columns of a Parquet file as an Arrow stream; no others are decoded. */
export async function parquetColumns(file: Blob, columns: readonly string[]): Promise<Uint8Array> {
  const opened = await ParquetFile.fromFile(file);
  try {
    return (await opened.read({ columns: [...columns], batchSize: BATCH_ROWS })).intoIPCStream();
  } finally {
    opened.free();
  }
}

/** Of DuckDB's kinds of tokens. */
const COMMENT = 5;
const SEMICOLON = ";".charCodeAt(0);

const isSame = (one: SqlTable, other: SqlTable): boolean =>
  one.name === other.name && one.file.sha256 === other.file.sha256 && one.file.url === other.file.url;

const nodesOf = (plan: readonly PlanNode[]): PlanNode[] =>
  plan.flatMap((node) => [node, ...nodesOf(node.children ?? [])]);

/** A plan names a struct's field after its column: `place.city`. */
function columnsNamed({ columns }: SqlTable, names: readonly string[]): readonly SqlColumn[] {
  const found = columns.filter(({ name }) => names.some((each) => each === name || each.startsWith(`${name}.`)));
  if (names.length > found.length) return columns; // a name that a line break splits, or fields of one struct
  if (found.length > 0) return found;
  return columns.reduce<SqlColumn[]>(
    (least, column) => (least[0] && least[0].bytes <= column.bytes ? least : [column]),
    [],
  );
}

const tooLarge = ({ name }: SqlTable, count: number, bytes: number): string =>
  `This query reads ${formatPlural(count, "column")} of ${name}, which would take ` +
  `about ${formatBytes(bytes)} of memory; the limit is ${formatBytes(TABLE_BYTES_MAX)} for a table. Name fewer ` +
  "columns, or filter the table in its explorer first and save the view.";

const asText = ({ name, sql }: ResultColumn): string =>
  sql === "BLOB" ? `to_base64(${quoted(name)})` : `CAST(${quoted(name)} AS VARCHAR)`;

/** What a query is put into. */
const STATEMENT =
  /^(?:CREATE OR REPLACE TABLE "parquetry-results"\.main\."rows" AS |EXPLAIN \(FORMAT json\) )(?:SELECT \* FROM \()?/;

/** DuckDB's own words, without the statement that the query was put into, and with what applies here. */
function problemText(error: unknown, sql: string): string {
  const text = (error instanceof Error ? error.message : String(error)).trim();
  const extension = /exists in the (\w+) extension/.exec(text)?.[1];
  if (extension !== undefined) {
    const [sentence = text] = text.split(", but it exists");
    return `${sentence}: it belongs to DuckDB's extension ${extension}, which is not loaded here.`;
  }
  const before = STATEMENT.exec(sql);
  const [words = ""] = text.split("\n\nLINE ");
  const sentence = words.replace(/\n?Did you mean "(?:(?:sqlite|pg|duckdb)_\w+|[^"]*parquetry-[^?]*)"?\?/, "");
  return before ? sentence + placeIn(text, sql.slice(before[0].length), before[0].length) : sentence;
}

/** Where in the query DuckDB found the fault. */
function placeIn(text: string, query: string, before: number): string {
  const [, line, rest] = /\n\nLINE (\d+): ([\s\S]*)$/.exec(text) ?? [];
  if (line === undefined || rest === undefined) return "";
  const [, caret = ""] = rest.split("\n");
  const column = caret.indexOf("^") - `LINE ${line}: `.length - (line === "1" ? before : 0);
  const written = query.split("\n")[Number(line) - 1] ?? "";
  const near = column >= 0 && !rest.startsWith("...") ? written.slice(column, column + 20).trim() : "";
  return ` (line ${line}${near === "" ? "" : `, at “${near}”`})`;
}
