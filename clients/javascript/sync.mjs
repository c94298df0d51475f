// Brings a local copy of a table to a version: what `table.sync` does. SQLite is part of Node 22.13 and newer.
import { existsSync, writeFileSync } from "node:fs";
import { link, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const ROWS_MAX = 10_000;
const COLUMNS_MAX = 500;
/** Errors after which rows are read from the first page on. */
const BAD_CURSORS = new Set(["invalid_cursor", "cursor_mismatch"]);
/** Errors after which all rows are read instead. */
const NO_CHANGES = new Set([
  ...["version_withdrawn", "not_found", "query_timeout", "result_too_large", "artifact_too_large"],
]);

/** Why the changes cannot be applied, or did not lead to the version. */
class Doubt extends Error {}

/** `ask` requests a route below the table's own and reads the reply; `sha256` is that of a file. */
export async function sync(table, tools, name, options) {
  const path = existsSync(name) ? await realpath(name) : resolve(name); // a link remains one
  await takeLock(path);
  try {
    return await syncLocked(table, tools, { name, path }, options);
  } finally {
    locked.delete(path);
    await rm(lockOf(path), { force: true });
  }
}

async function syncLocked(table, { ask, sha256 }, { name, path }, { version, whole = false }) {
  const head = await table.schema(version);
  if (name.endsWith(".parquet")) return await syncFile(table, head, path, sha256);
  const Copy = name.endsWith(".duckdb") ? DuckDBCopy : SQLiteCopy;
  const copy = await new Copy(path, table.id).load();
  try {
    const done = whole ? "it was requested" : (copy.doubt ?? (await catchUp(copy, head, ask)));
    if (typeof done === "string") await copy.replace({ table, head, ask });
    await copy.clean();
    return typeof done === "string" ? synced(head, 0, done) : synced(head, done, null);
  } finally {
    await copy.close();
  }
}

const lockOf = (path) => `${path}.lock`;
/** The copies that this process brings up to date. */
const locked = new Set();

/** Creates the file that keeps other processes from the copy, also in place of that of an ended one. */
async function takeLock(path) {
  const [lock, own] = [lockOf(path), `${process.pid} ${hostname()}`];
  for (let attempt = 1; ; attempt++) {
    try {
      writeFileSync(lock, own, { flag: "wx" });
      return void locked.add(path);
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const holder = await readFile(lock, "utf8").catch(() => undefined);
    if (holder === undefined) continue; // it has just ended
    const isBeingWritten = holder === "" && attempt < 20;
    if (isBeingWritten) {
      await wait(100);
      continue;
    }
    if (holder !== "" && !isEnded(holder, path)) throw isLocked(path);
    await removeLock(lock, holder, path);
  }
}

/** Whether the process that wrote this ran on this computer, and does no longer. */
function isEnded(holder, path) {
  const [, pid, host] = /^(\d{1,10}) (\S+)$/.exec(holder) ?? [];
  if (host !== hostname()) return false;
  if (Number(pid) === process.pid) return !locked.has(path);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

/** Removes the lock of an ended process, but not that of another one that has just done the same. */
async function removeLock(lock, holder, path) {
  const aside = `${lock}.${process.pid}`;
  await rename(lock, aside).catch(() => undefined);
  const moved = await readFile(aside, "utf8").catch(() => holder);
  if (moved !== holder) await link(aside, lock).catch(() => undefined);
  await rm(aside, { force: true });
  if (moved !== holder) throw isLocked(path);
}

const isLocked = (path) =>
  new Error(`Another sync of ${path} is running. Wait for its end; if there is none, delete ${lockOf(path)}.`);

/** Replaces a Parquet file only by another version of the same table. */
async function syncFile(table, head, path, sha256) {
  const digest = existsSync(path) ? `sha256:${await sha256(path)}` : undefined;
  if (digest === head.table.content_digest) return synced(head, 0, null);
  if (digest && !(await table.versions()).some(({ content_digest }) => content_digest === digest)) throw foreign(path);
  await table.download(path, head.table.version_id);
  return synced(head, 0, "a Parquet file is the published one");
}

const foreign = (path) => new Error(`${path} is not a copy of this table. Choose another name, or delete it.`);

const synced = ({ table: { version_id, rows } }, count, whole) => ({ version_id, rows, changes: count, whole });

/** A page of the changes up to a version. */
async function changes(ask, since, { table }, more) {
  const asked = new URLSearchParams({ since, until: table.version_id, ...more });
  return parsed(await ask(`/changes?${asked}`, {}, (reply) => reply.text()));
}

/** JSON with numbers as they were sent. */
const parsed = (text) =>
  JSON.parse(text, (_name, value, { source }) => (typeof value === "number" ? JSON.rawJSON(source) : value));

/** The number of changes that were applied to the copy, or why all rows have to be read. */
async function catchUp(copy, head, ask) {
  try {
    if (copy.version !== head.table.version_id) return await applyAll(copy, head, ask);
    await copy.expect(head.table.rows);
    return 0;
  } catch (error) {
    if (error instanceof Doubt) return error.message;
    if (!NO_CHANGES.has(error.code)) throw error;
    return `there are no changes since its version (${error.code})`;
  }
}

async function applyAll(copy, head, ask) {
  const first = await changes(ask, copy.version, head, { limit: 1 });
  const total = Number(first.total_changes.rawJSON);
  if (first.key.length === 0) throw new Doubt("the table has no key");
  if (JSON.stringify(first.key) !== copy.key) throw new Doubt("the key has changed");
  if (first.changes.some(({ op }) => op === "schema")) throw new Doubt("the columns have changed");
  if (total > head.table.rows) throw new Doubt("most rows have changed");
  const folder = await mkdtemp(join(tmpdir(), "parquetry-"));
  try {
    const pages = [];
    for (let cursor = ""; cursor !== null; ) {
      pages.push(join(folder, `${pages.length}.page`));
      cursor = await copy.savePage(ask, head, cursor, pages.at(-1));
    }
    // readers of the copy do not wait for the network
    await copy.transaction(head.table, async () => {
      let done = 0;
      for (const page of pages) done += await copy.apply(page, first.columns, first.key);
      if (done !== total) throw new Doubt(`${done} of ${total} changes arrived`);
      await copy.expect(head.table.rows);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return total;
}

const ABOUT =
  "table_id VARCHAR, version_id VARCHAR, content_digest VARCHAR, total_rows BIGINT, primary_key VARCHAR, " +
  "next_cursor VARCHAR";
const JOURNALS = ["-journal", "-wal", "-shm", ".wal"];
/** What follows the name of a copy in those of files that killed programs left. */
const LEFT = /^\.[0-9a-f]{16}\.part(?:\.parquet(?:\.[0-9a-f]{16}\.part)?|\.wal|-journal|-wal|-shm)?$/;
/** What SQLite and DuckDB say of a file that is not theirs, or has no such table. Anything else may pass. */
const FOREIGN =
  /no such (?:table|column)|is not a database|Table with name \S+ does not exist|not found in FROM clause|not a valid DuckDB/;

/** A database with a table's rows in `data`, and their version in `parquetry`, changed in the same transaction. */
class Copy {
  constructor(path, tableId) {
    this.path = path;
    this.tableId = tableId;
    this.doubt = "there was no copy";
  }

  async load() {
    if (!existsSync(this.path)) return this;
    try {
      this.database = await this.open(this.path);
      this.version = await this.knownVersion();
    } catch (error) {
      await this.close();
      throw FOREIGN.test(error.message) ? foreign(this.path) : error;
    }
    this.doubt = undefined;
    return this;
  }

  /** Refuses a database that is not a copy of this table: it would be replaced. */
  async knownVersion() {
    const found = await this.first(this.database, "SELECT table_id, version_id, primary_key FROM parquetry");
    if (found?.[0] !== this.tableId) throw foreign(this.path);
    this.key = found[2];
    return found[1];
  }

  /** Saves a page of changes. Returns where the next one begins; null after the last one. */
  async savePage(ask, { table }, cursor, file) {
    const asked = new URLSearchParams({ since: this.version, until: table.version_id, ...(cursor && { cursor }) });
    return await ask(`/changes?${asked}`, { headers: { accept: this.accept } }, async (reply) => {
      await writeFile(file, Buffer.from(await reply.arrayBuffer()));
      return reply.headers.get("x-next-cursor");
    });
  }

  async expect(rows) {
    const [found] = await this.first(this.database, "SELECT count(*) FROM data");
    if (Number(found) !== rows) throw new Doubt(`the copy has ${found} rows instead of ${rows}`);
  }

  /** Changes the rows and their version, or neither. */
  async transaction({ version_id, content_digest, rows }, work) {
    await this.run(this.database, this.begin);
    try {
      if ((await this.knownVersion()) !== this.version)
        throw new Error(`Another program is bringing ${this.path} up to date`);
      await work();
      const update = "UPDATE parquetry SET version_id = ?, content_digest = ?, total_rows = ?";
      await this.run(this.database, update, [version_id, content_digest, rows]);
      await this.run(this.database, "COMMIT");
    } catch (error) {
      await this.run(this.database, "ROLLBACK");
      throw error;
    }
  }

  async close() {
    const { database } = this;
    this.database = undefined;
    if (database) await this.shut(database);
  }

  /** Replaces the copy by a complete one, without the journal of the old one. */
  async put(part) {
    await this.close();
    for (const journal of JOURNALS) await rm(this.path + journal, { force: true });
    await rename(part, this.path);
  }

  /** Where the rows of a version are collected. */
  part({ content_digest }) {
    return `${this.path}.${content_digest.slice(7, 23)}.part`;
  }

  /** Removes what killed programs left. */
  async clean() {
    const [folder, own] = [dirname(this.path), basename(this.path)];
    const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
    const left = files.filter(({ name }) => name.startsWith(own) && LEFT.test(name.slice(own.length)));
    for (const { name } of left) await rm(join(folder, name), { force: true });
  }

  /** The row about a version that a new copy begins with. */
  about({ table: { version_id, content_digest, rows }, primary_key: key }, cursor) {
    return [this.tableId, version_id, content_digest, rows, JSON.stringify(key), cursor];
  }
}

class SQLiteCopy extends Copy {
  begin = "BEGIN IMMEDIATE";
  accept = "application/x-ndjson";

  async open(path) {
    const { DatabaseSync } = await loadSqlite();
    const database = new DatabaseSync(path);
    database.exec("PRAGMA busy_timeout = 60000");
    return database;
  }

  async first(database, sql, values = []) {
    return Object.values(database.prepare(sql).get(...values) ?? {});
  }

  async run(database, sql, values = []) {
    return database.prepare(sql).run(...values).changes;
  }

  async shut(database) {
    database.close();
  }

  async apply(file, columns, key) {
    const kinds = new Map(columns.map(({ name, type }) => [name, type]));
    const where = key.map((name) => `${quoted(name)} = ?`).join(" AND ");
    const gone = this.database.prepare(`DELETE FROM data WHERE ${where}`);
    const added = this.database.prepare(insertSql(columns));
    const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
    for (const change of lines.map(parsed)) {
      const named = (of, names) => names.map((name) => stored(kinds.get(name), of[name]));
      if (change.op !== "inserted" && gone.run(...named(change.key, key)).changes !== 1)
        throw new Doubt("a row that has changed is not in the copy");
      if (change.op !== "deleted") unlessThere(() => added.run(...named(change.row, [...kinds.keys()])));
    }
    return lines.length;
  }

  async replace({ head, ask }) {
    const count = head.columns.length;
    if (count > COLUMNS_MAX)
      throw new Error(`A copy as SQLite has up to ${COLUMNS_MAX} columns, not ${count}. Name a .duckdb file.`);
    const part = this.part(head.table);
    try {
      await this.#fill(part, head, ask);
    } catch (error) {
      if (!BAD_CURSORS.has(error.code)) throw error;
      await discard(part);
      await this.#fill(part, head, ask);
    }
    await this.put(part);
  }

  async #fill(part, head, ask) {
    const { table: about, columns, primary_key: key } = head;
    const database = await this.#begun(part, head);
    try {
      for (;;) {
        const [cursor] = await this.first(database, "SELECT next_cursor FROM parquetry");
        if (cursor === null) break;
        await this.#add(database, columns, cursor, await readRows(ask, about, columns, cursor));
      }
      if (key.length > 0) {
        const index = `CREATE UNIQUE INDEX IF NOT EXISTS data_key ON data (${key.map(quoted).join(", ")})`;
        await this.run(database, index);
      }
      const [found] = await this.first(database, "SELECT count(*) FROM data");
      if (found !== about.rows) {
        await rm(part, { force: true });
        throw new Error(`${found} of ${about.rows} rows arrived; call again`);
      }
    } finally {
      await this.shut(database);
    }
  }

  /** The part of this very version that a killed program has left, or a new one. */
  async #begun(part, head) {
    if (existsSync(part)) {
      const left = await this.open(part);
      if (await this.#isOf(left, head.table)) return left;
      await this.shut(left);
      await discard(part);
    }
    const database = await this.open(part);
    const types = head.columns.map(({ name, type }) => `${quoted(name)} ${affinity(type)}`).join(", ");
    await this.run(database, "BEGIN IMMEDIATE");
    await this.run(database, `CREATE TABLE data (${types})`);
    await this.run(database, `CREATE TABLE parquetry (${ABOUT})`);
    await this.run(database, "INSERT INTO parquetry VALUES (?, ?, ?, ?, ?, ?)", this.about(head, ""));
    await this.run(database, "COMMIT");
    return database;
  }

  async #isOf(database, { version_id }) {
    try {
      const [tableId, versionId] = await this.first(database, "SELECT table_id, version_id FROM parquetry");
      return tableId === this.tableId && versionId === version_id;
    } catch (error) {
      if (FOREIGN.test(error.message)) return false;
      throw error;
    }
  }

  /** The rows of a page and where the next one begins, at once: a killed program continues there. */
  async #add(database, columns, cursor, { rows, next_cursor }) {
    database.exec("BEGIN IMMEDIATE");
    const moved = database.prepare("UPDATE parquetry SET next_cursor = ? WHERE next_cursor = ?");
    if (moved.run(next_cursor, cursor).changes !== 1) throw new Error(`Another program is filling ${this.path}`);
    const added = database.prepare(insertSql(columns));
    for (const row of rows) added.run(...columns.map(({ name, type }) => stored(type, row[name])));
    database.exec("COMMIT");
  }
}

/** Node's SQLite without the warning of Node 22 that it is experimental; other warnings are shown meanwhile. */
async function loadSqlite() {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...more) => {
    if (!String(warning).includes("SQLite is an experimental feature")) emitWarning.call(process, warning, ...more);
  };
  try {
    return await import("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function discard(part) {
  for (const end of ["", ...JOURNALS]) await rm(part + end, { force: true });
}

/** A row of a key that is there already was not the service's. */
function unlessThere(insert) {
  try {
    insert();
  } catch (error) {
    throw error.message.includes("constraint failed") ? new Doubt("a new row is in the copy already") : error;
  }
}

/** A page of all rows, with their digits. */
async function readRows(ask, { version_id }, columns, cursor) {
  const body = { columns: columns.map(({ name }) => name), version_id, limit: ROWS_MAX, ...(cursor && { cursor }) };
  return parsed(await ask("/query", { body }, (reply) => reply.text()));
}

class DuckDBCopy extends Copy {
  begin = "BEGIN TRANSACTION";
  accept = "application/vnd.apache.parquet";

  async open(path) {
    const { DuckDBInstance } = await import("@duckdb/node-api").catch((cause) => {
      throw new Error("A .duckdb file needs the package @duckdb/node-api: npm install @duckdb/node-api", { cause });
    });
    const instance = await DuckDBInstance.create(path);
    return { instance, connection: await instance.connect() };
  }

  async first({ connection }, sql, values = []) {
    return (await connection.runAndReadAll(sql, values)).getRows()[0];
  }

  async run({ connection }, sql, values = []) {
    return (await connection.run(sql, values)).rowsChanged;
  }

  async shut({ instance, connection }) {
    connection.closeSync();
    instance.closeSync();
  }

  async apply(file, columns, key) {
    const from = `${parquetAt(file)} AS c`;
    const counts = "count(*), count(*) FILTER (op <> 'inserted'), count(*) FILTER (op <> 'deleted')";
    const [total, gone, added] = (await this.first(this.database, `SELECT ${counts} FROM ${from}`)).map(Number);
    const same = key.map((name) => `data.${quoted(name)} = c.key.${quoted(name)}`).join(" AND ");
    const rows = columns.map(({ name }) => `c.row.${quoted(name)}`).join(", ");
    const deleted = await this.run(
      this.database,
      `DELETE FROM data USING ${from} WHERE c.op <> 'inserted' AND ${same}`,
    );
    const insert = `INSERT INTO data (${listed(columns)}) SELECT ${rows} FROM ${from} WHERE c.op <> 'deleted'`;
    const put = await this.run(this.database, insert);
    if (deleted !== gone || put !== added) throw new Doubt("a row that has changed is not in the copy");
    return total;
  }

  async replace({ table, head }) {
    const { table: about } = head;
    const part = this.part(about);
    const file = await table.download(`${part}.parquet`, about.version_id);
    await discard(part);
    const database = await this.open(part);
    try {
      await this.run(database, `CREATE TABLE data AS SELECT * FROM ${parquetAt(file)}`);
      await this.run(database, `CREATE TABLE parquetry (${ABOUT})`);
      const values = this.about(head, "").slice(0, -1);
      await this.run(database, "INSERT INTO parquetry VALUES (?, ?, ?, ?, ?, NULL)", values);
    } finally {
      await this.shut(database);
    }
    await this.put(part);
    await rm(file, { force: true });
  }
}

const quoted = (name) => `"${name.replaceAll('"', '""')}"`;
const listed = (columns) => columns.map(({ name }) => quoted(name)).join(", ");
const insertSql = (columns) => `INSERT INTO data (${listed(columns)}) VALUES (${columns.map(() => "?").join(", ")})`;
/** A file's own columns, whatever its folders are called. */
const parquetAt = (path) => `read_parquet('${path.replaceAll("'", "''")}', hive_partitioning = false)`;

const INTEGER = /^(?:u?int(?:8|16|32)|int64)$/;

function affinity(type) {
  if (type === "boolean" || INTEGER.test(type)) return "INTEGER";
  if (type === "binary") return "BLOB";
  return type.startsWith("float") ? "REAL" : "TEXT";
}

/** A value as SQLite can hold it: numbers that do not fit, times, lists and documents as text; NaN too. */
function stored(type, value) {
  if (value === null) return null;
  if (type === "boolean") return Number(value);
  if (INTEGER.test(type)) return BigInt(value.rawJSON);
  if (type.startsWith("float")) return value === "NaN" ? value : Number(value.rawJSON ?? value);
  if (type === "binary") return Buffer.from(value, "base64");
  if (type === "uint64" || type.startsWith("decimal")) return value.rawJSON;
  return type === "json" || /^(?:list|struct)/.test(type) ? JSON.stringify(value) : value;
}
