import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import iconv from "iconv-lite";
import { inline, workbook, zipped } from "./ugly-files/workbook";

const OFFICE = [
  "Bevölkerung nach Kreis",
  "",
  "Code;Ort;Wert;Tag",
  ...Array.from({ length: 30 }, (_, at) => `0${100 + at};Zürich ${at};${at},5;${(at % 28) + 1}.12.2025`),
  "",
  "Quelle: Amt für Statistik, Lizenz DL-DE-BY-2.0",
  "",
].join("\r\n");

const PLAIN = `id,name\n${Array.from({ length: 100 }, (_, at) => `${at},name ${at}\n`).join("")}`;
const ITEMS = Array.from({ length: 40 }, (_, id) => ({ id, on: "2026-01-31", tags: ["a"], value: id / 4 }));
/** Sixty records, whose rows exceed the size of a reply. */
const NESTED = Array.from({ length: 60 }, (_, id) => ({
  ...{ id, place: { code: `P${id % 3}`, at: { lat: 50 + id / 8, lon: 7 } }, tags: ["a", "b"] },
  on: { utc: `2026-01-31T00:${String(id).padStart(2, "0")}:00Z` },
  note: "n".repeat(300),
}));
const cell = (ref: string, value: number) => `<c r="${ref}"><v>${value}</v></c>`;

/** More than an inspection reads. */
const BIG_ROWS = 250_000;
const BIG_LINES = Array.from({ length: BIG_ROWS }, (_, at) => `${at},${at * 2}\n`).join("");
const BIG = `id,value\n${BIG_LINES}Source: the office\n`;

interface Answer {
  body: Buffer;
  headers?: Record<string, string>;
}

/** Sources for inspections on one loopback port, with support for ranges. */
export async function startInspectedSources() {
  const answers = await answersOf();
  const asked: { url: string; authorization: string | undefined }[] = [];
  const server = createServer((request, reply) => {
    asked.push({ url: request.url ?? "", authorization: request.headers.authorization });
    const url = new URL(request.url ?? "", "http://x");
    const answer = answers[url.pathname] ?? nestedPage(url) ?? emptyPage(url) ?? offsetPage(url);
    const rejected = answer ? rejectionOf(url) : 404;
    if (!answer || rejected) return void reply.writeHead(rejected ?? 404).end();
    const last = Number(/^bytes=-(\d{1,9})$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const body = last > 0 ? answer.body.subarray(-last) : answer.body;
    const about = { "accept-ranges": "bytes", "content-length": body.length, ...answer.headers };
    reply.writeHead(last > 0 ? 206 : 200, about).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, origin: `http://${host}`, asked, close: () => void server.close() };
}

/** The status for parameters that some sources reject. */
function rejectionOf({ pathname, search, searchParams }: URL): number | undefined {
  if (pathname === "/empty" && searchParams.has("per_page")) return 400;
  return pathname === "/strict" && search !== "" ? 403 : undefined;
}

/** Twenty of the nested records. */
function nestedPage({ pathname, searchParams }: URL): Answer | undefined {
  if (pathname !== "/nested") return undefined;
  const [page, size] = [Number(searchParams.get("page")), Number(searchParams.get("limit"))];
  const results = NESTED.slice((page - 1) * size, page * size);
  return { body: Buffer.from(JSON.stringify({ meta: { found: NESTED.length }, results })) };
}

/** Twenty of the items from an offset; `/deaf` ignores it. */
function offsetPage({ pathname, searchParams }: URL): Answer | undefined {
  if (pathname !== "/offset" && pathname !== "/deaf") return undefined;
  const offset = pathname === "/deaf" ? 0 : Number(searchParams.get("offset"));
  const data = ITEMS.slice(offset, offset + 20);
  return { body: Buffer.from(JSON.stringify({ total: ITEMS.length, limit: 20, offset, data })) };
}

/** APIs that have records, only one of which returns some, if `per_page` is given. */
function emptyPage({ pathname, searchParams }: URL): Answer | undefined {
  if (!["/linked", "/empty", "/strict"].includes(pathname)) return undefined;
  const results = pathname === "/linked" && searchParams.has("per_page") ? ITEMS : [];
  return { body: Buffer.from(JSON.stringify({ total_pages: 2, results, next: `${pathname}?page=2&per_page=100` })) };
}

async function answersOf(): Promise<Readonly<Record<string, Answer>>> {
  const rows = [1, 2, 3, 4].map(
    (row) => `<row r="${row + 1}">${inline(`A${row + 1}`, `r${row}`)}${cell(`B${row + 1}`, row)}</row>`,
  );
  const sheet = `<row r="1">${inline("A1", "name")}${inline("B1", "level")}</row>${rows.join("")}`;
  const book = await workbook({
    sheets: [
      { name: "Notes", data: "" },
      { name: "Levels", data: sheet },
    ],
  });
  const json = (document: unknown, headers = {}) => ({ body: Buffer.from(JSON.stringify(document)), headers });
  return {
    "/office.csv": { body: iconv.encode(OFFICE, "windows-1252"), headers: { "content-type": "text/csv", etag: '"o"' } },
    "/big.csv": { body: Buffer.from(BIG) },
    "/plain.csv.gz": { body: gzipSync(PLAIN) },
    "/plain.zip": { body: await zipped({ "readme.md": "# Read me", "data/plain.csv": PLAIN }) },
    "/book.xlsx": { body: book },
    "/items": json({ items: ITEMS, total: 400 }, { link: '</items?page=2>; rel="next"' }),
    "/lines.ndjson": { body: Buffer.from(ITEMS.map((item) => JSON.stringify(item)).join("\n")) },
    "/login": { body: Buffer.from("<!doctype html><title>Sign in</title>") },
  };
}
