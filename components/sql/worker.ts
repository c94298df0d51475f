import { BROWSER_RUNTIME, createDuckDB, VoidLogger } from "@duckdb/duckdb-wasm/browser-blocking";
import duckdbUrl from "@duckdb/duckdb-wasm/dist/duckdb-eh.wasm";
import initParquet, { Compression, Table, WriterPropertiesBuilder, writeParquet } from "parquet-wasm/esm";
import parquetUrl from "parquet-wasm/esm/parquet_wasm_bg.wasm";
import { csvLine } from "@/lib/formats/csv-line";
import { formatBytes, formatPlural } from "@/lib/kernel/format";
import { type Answer, QueryProblem, type Request, type Result, type SavedFormat, type SqlTable } from "./messages";
import { rowCsv, rowJson } from "./result-rows";
import { parquetColumns, SqlDatabase } from "./sql-database";

/** What a worker has; the types are those of pages. */
const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<Request>) => void;
  postMessage(answer: Answer): void;
};

/** The most bytes of a file that is downloaded. */
const FILE_BYTES_MAX = 500_000_000;
/** Rows of a result that are written as CSV at once. */
const CSV_ROWS = 10_000;

/** Files of the page's tables whose SHA-256 was right, by it. */
const verified = new Map<string, Blob>();
let opened: Promise<SqlDatabase> | undefined;
/** The result, and the question that it answers. */
let result: (Result & { of: number }) | undefined;

/** The last of the questions, which are answered one after the other. */
let last: Promise<unknown> = Promise.resolve();

scope.onmessage = ({ data }) => {
  const say = (answer: Answer) => scope.postMessage(answer);
  const answered = last.then(() => answer(data, (text) => say({ id: data.id, kind: "progress", text })));
  last = answered.catch(() => undefined);
  answered.then(say, (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    const table = error instanceof QueryProblem ? error.table : undefined;
    say({ id: data.id, kind: "problem", problem: { message, table } });
  });
};

async function answer(request: Request, say: (text: string) => void): Promise<Answer> {
  const { id } = request;
  if (!opened) say("Starting DuckDB");
  opened ??= open();
  opened.catch(() => {
    opened = undefined;
  });
  const database = await opened;
  if (request.kind === "run") {
    const read = async (table: SqlTable, columns: readonly string[]) => {
      const file = await verifiedFile(table, say);
      say(`Reading ${formatPlural(columns.length, "column")} of ${table.name}`);
      return await parquetColumns(file, columns);
    };
    for (const sha256 of verified.keys())
      if (!request.tables.some(({ file }) => file.sha256 === sha256)) verified.delete(sha256);
    result = undefined;
    result = { ...(await database.run(request.tables, request.sql, read, () => say("Running"))), of: id };
    return { id, kind: "result", result };
  }
  if (result?.of !== request.of) throw new QueryProblem("The result is no longer there. Run the query again.");
  const { columns } = result;
  if (request.kind === "save")
    return { id, kind: "file", file: fileOf(database, result, request.format, request.about) };
  const rows = database.rows(columns, request.from, request.count).map((texts) => rowJson(texts, columns));
  return { id, kind: "rows", rows };
}

async function open(): Promise<SqlDatabase> {
  const bundle = { mainModule: duckdbUrl, mainWorker: "" };
  const [bindings] = await Promise.all([
    createDuckDB({ mvp: bundle, eh: bundle }, new VoidLogger(), BROWSER_RUNTIME),
    initParquet({ module_or_path: parquetUrl }),
  ]);
  await bindings.instantiate();
  return new SqlDatabase(bindings);
}

/** The bytes of a table's file, whose SHA-256 is the recorded one. */
async function verifiedFile({ name, file }: SqlTable, say: (text: string) => void): Promise<Blob> {
  const known = verified.get(file.sha256);
  if (known) return known;
  if (file.bytes > FILE_BYTES_MAX) {
    const most = formatBytes(FILE_BYTES_MAX);
    const message = `The file of ${name} has ${formatBytes(file.bytes)}, and this page reads files of at most ${most}.`;
    throw new QueryProblem(`${message} Filter the table in its explorer, and save the view.`, name);
  }
  const bytes = await downloaded(name, file, say);
  say(`Checking the SHA-256 of ${name}`);
  if (!crypto.subtle)
    throw new QueryProblem("This page is not served over HTTPS, so your browser cannot check what it downloads.");
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const found = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (found !== file.sha256)
    throw new QueryProblem(
      `The bytes of ${name} that arrived have the SHA-256 ${found}, and its version has ${file.sha256}. Nothing was ` +
        "read from them. Run the query again; if it happens again, tell the service's operator.",
    );
  const blob = new Blob([bytes]);
  verified.set(file.sha256, blob);
  return blob;
}

async function downloaded(
  name: string,
  { url, bytes: size }: SqlTable["file"],
  say: (text: string) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  say(`Downloading ${name}, ${formatBytes(size)}`);
  const reply = await fetch(url, { credentials: "same-origin" }).catch(() => undefined);
  if (!reply) throw new QueryProblem(`${name} could not be downloaded: the service cannot be reached.`);
  if (!reply.ok || !reply.body) throw new QueryProblem(`${name} could not be downloaded. ${await wordsOf(reply)}`);
  const bytes = new Uint8Array(size);
  let at = 0;
  let said = 0;
  for (const reader = reply.body.getReader(); ; ) {
    const { value, done } = await reader.read();
    if (done) break;
    if (at + value.length > size) throw new QueryProblem(`${name} has more bytes than its version says.`);
    bytes.set(value, at);
    at += value.length;
    const percent = Math.floor((at / size) * 10) * 10;
    if (percent > said) say(`Downloading ${name}, ${percent} % of ${formatBytes(size)}`);
    said = percent;
  }
  if (at < size) throw new QueryProblem(`${name} ended after ${formatBytes(at)} of ${formatBytes(size)}. Run again.`);
  return bytes;
}

async function wordsOf(reply: Response): Promise<string> {
  const said: unknown = await reply.json().catch(() => undefined);
  const message = typeof said === "object" && said !== null && "message" in said ? said.message : undefined;
  return typeof message === "string" ? message : `The service replied with status ${reply.status}.`;
}

function fileOf(database: SqlDatabase, { columns, rows }: Result, format: SavedFormat, about: Record<string, string>) {
  if (format === "arrow") return new Blob([copied(database.arrow(columns))]);
  if (format === "csv") {
    const parts = [csvLine(columns.map(({ name }) => name))];
    for (let from = 0; from < rows; from += CSV_ROWS)
      parts.push(
        database
          .rows(columns, from, CSV_ROWS)
          .map((texts) => rowCsv(texts, columns))
          .join(""),
      );
    return new Blob(parts);
  }
  const properties = new WriterPropertiesBuilder()
    .setCompression(Compression.ZSTD)
    .setKeyValueMetadata(new Map(Object.entries(about)))
    .build();
  const table = Table.fromIPCStream(database.arrow(columns));
  return new Blob([copied(writeParquet(table, properties))]);
}

/** Bytes of their own: those of the WebAssembly memory change. */
const copied = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
