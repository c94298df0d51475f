import { type APIRequestContext, type APIResponse, expect } from "@playwright/test";
import { tableOf } from "./catalogue";
import { readerKey } from "./service";
import { test } from "./test";

/** Applies changes to rows by their key, as a reader would, and fails if one does not fit. */
function applied(rows: ReadonlyMap<string, string>, lines: readonly string[]): Map<string, string> {
  const copy = new Map(rows);
  for (const line of lines) {
    const { op, key, row } = JSON.parse(line);
    const name = JSON.stringify(key);
    expect(copy.has(name)).toBe(op !== "inserted");
    if (op === "deleted") copy.delete(name);
    else copy.set(name, JSON.stringify(row));
  }
  return copy;
}

test("nine versions of the MIME types, applied one by one and at once, give the very rows of the last", async ({
  request,
}) => {
  const { tableId } = await tableOf(request, "mime-types");
  const table = `/api/v2/public/tables/${tableId}`;
  const headers = { "x-api-key": readerKey() };
  const rowsOf = async (version: string) => {
    const columns = ["mime_type", "top_level_type", "subtype", "source", "charset", "compressible", "extensions"];
    const data = { columns, version_id: version, limit: 10_000 };
    const { rows } = await (await request.post(`${table}/query`, { headers, data })).json();
    return new Map<string, string>(
      rows.map((row: { mime_type: string }) => [JSON.stringify({ mime_type: row.mime_type }), JSON.stringify(row)]),
    );
  };
  const labels = Array.from({ length: 10 }, (_, at) => `1.${at + 45}.0`);
  const first = await rowsOf("1.45.0");
  let rows: ReadonlyMap<string, string> = first;
  for (const [at, until] of labels.slice(1).entries()) {
    const lines = await linesOf(request, `${table}/changes?since=${labels[at]}&until=${until}&limit=50`, headers);
    rows = applied(rows, lines);
  }
  const atOnce = applied(first, await linesOf(request, `${table}/changes?since=1.45.0&limit=1000`, headers));
  const last = [...(await rowsOf("1.54.0"))].sort();
  expect(last.length).toBe(2522);
  expect([...rows].sort()).toEqual(last);
  expect([...atOnce].sort()).toEqual(last);
});

/** The changes of all pages, each at the link of the one before. */
async function linesOf(request: APIRequestContext, url: string, headers: Record<string, string>): Promise<string[]> {
  const lines: string[] = [];
  for (let next: string | undefined = url; next !== undefined; ) {
    const reply: APIResponse = await request.get(next, { headers: { ...headers, accept: "application/x-ndjson" } });
    expect(reply.status()).toBe(200);
    lines.push(...(await reply.text()).split("\n").slice(0, -1));
    next = /<([^>]+)>; rel="next"/.exec(reply.headers().link ?? "")?.[1];
  }
  return lines;
}
