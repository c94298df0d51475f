import { type APIRequestContext, expect } from "@playwright/test";
import { tableOf } from "./catalogue";
import { readerKey } from "./service";
import { test } from "./test";

interface Page {
  rows: Record<string, unknown>[];
  next_cursor: string | null;
  table: { version_id: string };
}

/** Follows next_cursor to the end; `see` is told each page and the milliseconds it took. */
async function walk(
  request: APIRequestContext,
  tableId: string,
  query: object,
  see: (page: Page, ms: number) => void,
): Promise<void> {
  let cursor: string | null | undefined;
  do {
    const started = performance.now();
    const reply = await request.post(`/api/v2/public/tables/${tableId}/query`, {
      data: { ...query, ...(cursor && { cursor }) },
      headers: { "x-api-key": readerKey() },
    });
    expect(reply.status()).toBe(200);
    const page = (await reply.json()) as Page;
    see(page, performance.now() - started);
    cursor = page.next_cursor;
  } while (cursor);
}

test("a walk over all flights by a column with many ties gives each row exactly once", async ({ request }) => {
  test.setTimeout(600_000);
  const { tableId, rows } = await tableOf(request, "us-flights-2001");
  expect(rows).toBe(3_000_000);
  const { columns } = await (await request.get(`/api/v2/public/tables/${tableId}/schema`)).json();
  const names = columns.map(({ name }: { name: string }) => name) as string[];
  const origin = names.find((name) => /origin/i.test(name)) ?? "";
  const seen = new Map<string, number>();
  const counts = new Map<string, number>();
  const times: number[] = [];
  let previous = "";
  let misplaced = 0;
  await walk(
    request,
    tableId,
    { columns: names, order_by: [{ column: origin, direction: "asc" }], limit: 10_000 },
    (page, ms) => {
      times.push(ms);
      for (const row of page.rows) {
        const value = String(row[origin]);
        if (value < previous) misplaced++;
        previous = value;
        const key = Object.values(row).join("|");
        seen.set(key, (seen.get(key) ?? 0) + 1);
        counts.set(value, (counts.get(value) ?? 0) + 1);
      }
    },
  );
  expect([...counts.values()].reduce((sum, n) => sum + n, 0)).toBe(3_000_000);
  expect(misplaced).toBe(0);
  expect(times).toHaveLength(300);
  // Exact duplicates of the data come as often as they stand there, so the number of different rows agrees with the
  // engine's own grouping.
  const repeated = [...seen.values()].filter((n) => n > 1).length;
  expect(repeated).toBe(191);
  const grouped = await request.post(`/api/v2/public/tables/${tableId}/query`, {
    data: { columns: [], group_by: [origin], aggregates: [{ function: "count", as: "n" }], limit: 10_000 },
    headers: { "x-api-key": readerKey() },
  });
  for (const row of (await grouped.json()).rows) expect(counts.get(row[origin])).toBe(row.n);
  const sorted = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
  test.info().annotations.push({
    type: "pages, ms",
    description: `first ten ${sorted(times.slice(0, 10)).toFixed(0)}, last ten ${sorted(times.slice(-10)).toFixed(0)}`,
  });
});

test("page by page without an order gives the version's own order, the same as one page", async ({ request }) => {
  const { tableId, rows } = await tableOf(request, "mauna-loa-co2");
  const all: unknown[] = [];
  await walk(request, tableId, { columns: ["Date"], limit: 97 }, (page) => all.push(...page.rows));
  const whole = await request.post(`/api/v2/public/tables/${tableId}/query`, {
    data: { columns: ["Date"], limit: 10_000 },
    headers: { "x-api-key": readerKey() },
  });
  expect(all).toHaveLength(rows);
  expect(all).toEqual((await whole.json()).rows);
});
