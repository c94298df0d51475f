// Reads tables of a Parquetry service. Node 20 or newer, no dependencies.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { sync } from "./sync.mjs";

const BASE = "http://localhost:3000";
const VERSION = "0.0.0";
const ROWS_MAX = 10_000;
const ATTEMPTS = 5;
const WAIT_MAX_MS = 60_000;
const MORE_GROUPS = "There are more groups than were returned: filter, group by less, or set limit.";
const BUSY = new Set([429, 502, 503, 504]);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A request that the service rejected: its status, its error code, and every fault that it named. */
export class ParquetryError extends Error {
  constructor(status, body) {
    const { error = "unknown", message = "", details = [], request_id } = body;
    const faults = details.map((each) => `\n  ${each.pointer ?? ""}: ${each.message}`).join("");
    super(`${status} ${error}: ${message}${faults}`);
    Object.assign(this, { name: "ParquetryError", status, code: error, details, requestId: request_id });
  }
}

/** A service. `key` defaults to the variable PARQUETRY_KEY; without either, no key is sent. */
export class Parquetry {
  #key;

  // biome-ignore lint/style/noProcessEnv: the client runs in programs of its users, which have no settings of the service
  constructor({ base = BASE, key = process.env.PARQUETRY_KEY } = {}) {
    this.base = base.replace(/\/$/, "");
    this.#key = key || undefined;
  }

  get hasKey() {
    return this.#key !== undefined;
  }

  /**
   * Datasets that match the words, best first; all of them without words. A list as a filter matches any of its values.
   */
  async *search(q = "", filters = {}) {
    for (let cursor; cursor !== null; ) {
      const asked = Object.entries({ ...filters, ...(q && { q }), ...(cursor && { cursor }) });
      const pairs = asked.flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
      const page = await this.json(`/api/v2/public/datasets?${new URLSearchParams(pairs)}`);
      yield* page.datasets;
      cursor = page.next_cursor;
    }
  }

  /** A dataset with its tables, licence, publisher and citation. */
  dataset(slug) {
    return this.json(`/api/v2/public/datasets/${encodeURIComponent(slug)}`);
  }

  /** A table by its id, by `dataset/table`, or by its dataset if that has a single table. */
  async table(name) {
    if (UUID.test(name)) return new Table(this, name);
    const [slug, wanted] = name.split("/", 2);
    const { tables } = await this.dataset(slug);
    const found = wanted === undefined ? tables : tables.filter((each) => each.slug === wanted);
    if (found.length === 1) return new Table(this, found[0].tableId);
    const names = tables.map((each) => `${slug}/${each.slug}`).join(", ");
    throw new Error(`${name} names ${found.length} tables. ${slug} has: ${names}`);
  }

  /** A reply as JSON; integers that do not fit in a number are BigInts. */
  async json(path, body) {
    return JSON.parse(await this.request(path, { body, read: (reply) => reply.text() }), exactIntegers);
  }

  /**
   * The result of `read` for the reply; repeated while the service is busy or unreachable, since all requests only
   * read.
   */
  async request(path, { body, headers, read = (reply) => reply }) {
    const init = this.#init(body, headers);
    for (let attempt = 1; ; attempt++) {
      let reply;
      try {
        reply = await fetch(this.base + path, init);
        if (reply.ok) return await read(reply);
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
        reply = undefined;
      }
      const ms = waitOf(reply, attempt);
      if (reply && (!BUSY.has(reply.status) || attempt === ATTEMPTS || ms > WAIT_MAX_MS)) throw await rejection(reply);
      await reply?.body?.cancel();
      await wait(ms);
    }
  }

  #init(body, headers) {
    const hasBody = body !== undefined;
    return {
      method: hasBody ? "POST" : "GET",
      redirect: "manual", // the key is sent only to the service, wherever a reply points
      headers: {
        ...{ accept: "application/json", "user-agent": `parquetry-javascript/${VERSION}` },
        ...(this.#key && { "x-api-key": this.#key }),
        ...(hasBody && { "content-type": "application/json" }),
        ...headers,
      },
      ...(hasBody && { body: JSON.stringify(body, plainBigInts) }),
    };
  }
}

/** One table. Queries read its current version; `version_id` among their members pins another. */
export class Table {
  #service;
  #path;

  constructor(service, id) {
    this.id = id;
    this.#service = service;
    this.#path = `/api/v2/public/tables/${id}`;
  }

  /** Columns with types, units, operators and profiles; `table` has version, digest, rows and bytes. */
  schema(version) {
    const chosen = version ? `?${new URLSearchParams({ version_id: version })}` : "";
    return this.#service.json(`${this.#path}/schema${chosen}`);
  }

  async versions() {
    return (await this.#service.json(`${this.#path}/versions`)).versions;
  }

  /**
   * The replies to a query, page by page, all of one version. Without `columns` and aggregates, all columns. With a
   * page's `next_cursor` as `cursor`, from there on. Groups have one page; it warns if there are more.
   */
  async *pages(query = {}) {
    const isGrouped = query.aggregates !== undefined || query.group_by !== undefined;
    const columns = query.columns ?? (isGrouped ? [] : await this.#allColumns(query));
    const { hasKey } = this.#service;
    const path = hasKey ? `${this.#path}/query` : `/api/public/tables/${this.id}/query`;
    const asked = { ...(hasKey && { limit: isGrouped ? 1000 : ROWS_MAX }), ...query, columns };
    for (let { cursor } = query; cursor !== null; ) {
      const page = await this.#service.json(path, { ...asked, ...(cursor && { cursor }) });
      if (isGrouped && page.execution.truncated && query.limit === undefined) process.emitWarning(MORE_GROUPS);
      yield page;
      cursor = query.limit === undefined ? page.next_cursor : null;
    }
  }

  /** The rows of a query, from all pages; with `limit`, those of a single page. */
  async *rows(query = {}) {
    for await (const { rows } of this.pages(query)) yield* rows;
  }

  /**
   * The whole Parquet file at `path`. An interrupted download is resumed; the file has the published digest. Needs a
   * key.
   */
  async download(path, version) {
    const { table } = await this.schema(version);
    const digest = table.content_digest.split(":", 2)[1];
    if (await isSame(path, table)) return path;
    const part = `${path}.${digest.slice(0, 16)}.part`;
    // a part with wrong bytes is discarded once
    for (let attempt = 0; attempt < 2; attempt++) {
      await this.#fetch(part, table.version_id, table.bytes);
      if ((await sha256(part)) === digest) {
        await rename(part, path);
        return path;
      }
      await rm(part);
    }
    throw new Error(`${this.id}: the bytes received are not ${table.content_digest}`);
  }

  /**
   * Brings the copy at `path` to the current version, or to `version`. A `.parquet` file is the published one; a
   * `.sqlite`, `.db` or `.duckdb` file (which needs the package @duckdb/node-api) has the rows in its table `data`. A
   * copy of another version gets only what has changed since, in one transaction, if the table has a key. In every
   * other case, or with `whole`, all rows are read again and replace the copy at once. Needs a key. If it is killed,
   * call it again.
   */
  sync(path, options = {}) {
    const ask = (route, request, read) => this.#service.request(this.#path + route, { ...request, read });
    return sync(this, { ask, sha256 }, path, options);
  }

  /** Appends the missing bytes, and retries after each interruption as long as bytes arrive. */
  async #fetch(part, versionId, size) {
    for (let cuts = 0, have = await sizeOf(part); have < size; ) {
      const headers = { accept: "*/*", ...(have > 0 && { range: `bytes=${have}-` }) };
      const reply = await this.#service.request(`${this.#path}/current?version_id=${versionId}`, { headers });
      await append(part, reply);
      const got = await sizeOf(part);
      cuts = got > have ? 0 : cuts + 1;
      if (cuts === ATTEMPTS) throw new Error(`${this.id}: ${got} of ${size} bytes arrived; call again to continue`);
      have = got;
    }
  }

  async #allColumns({ version_id }) {
    return (await this.schema(version_id)).columns.map(({ name }) => name);
  }
}

/** An integer keeps its digits; `source` is its text, if the runtime provides it. */
function exactIntegers(_name, value, context) {
  const isCut = typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "");
  return isCut ? BigInt(context.source) : value;
}

const plainBigInts = (_name, value) =>
  typeof value === "bigint" ? (JSON.rawJSON?.(value.toString()) ?? Number(value)) : value;

function waitOf(reply, attempt) {
  const told = reply?.headers.get("retry-after") ?? "";
  return /^\d+$/.test(told) ? Number(told) * 1000 : 2 ** attempt * 250;
}

async function rejection(reply) {
  const text = await reply.text();
  try {
    return new ParquetryError(reply.status, JSON.parse(text));
  } catch {
    return new ParquetryError(reply.status, { message: reply.statusText });
  }
}

const sizeOf = (path) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Writes what arrives at the end of a part; a reply with the whole file replaces it. */
async function append(part, reply) {
  const file = await open(part, reply.status === 206 ? "a" : "w");
  try {
    for await (const chunk of reply.body) await file.writeFile(chunk);
  } catch (error) {
    if (error.syscall === "write") throw error; // otherwise it is an interruption, which the size shows
  } finally {
    await file.close();
  }
}

/** Whether a file is that of a version. */
const isSame = async (path, { bytes, content_digest: digest }) =>
  (await sizeOf(path)) === bytes && `sha256:${await sha256(path)}` === digest;

async function sha256(path) {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}
