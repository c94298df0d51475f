import { type APIRequestContext, expect } from "@playwright/test";
import { tableOf } from "./catalogue";
import { readerKey } from "./service";
import { test } from "./test";

interface Page {
  rows: Record<string, unknown>[];
  next_cursor: string | null;
  table: { version_id: string };
}

/** Follows next_cursor to the end. `see` receives each page. */
async function readPages(
  request: APIRequestContext,
  tableId: string,
  query: object,
  see: (page: Page) => void,
): Promise<void> {
  let cursor: string | null | undefined;
  do {
    const reply = await request.post(`/api/v2/public/tables/${tableId}/query`, {
      data: { ...query, ...(cursor && { cursor }) },
      headers: { "x-api-key": readerKey() },
    });
    expect(reply.status()).toBe(200);
    const page = (await reply.json()) as Page;
    see(page);
    cursor = page.next_cursor;
  } while (cursor);
}

/** All 3,000,000 flights in `npm run trial -- pages`, otherwise those to one destination. */
const FILTERS = process.env.ROWS === "all" ? [] : [{ column: "destination", operator: "eq", value: "LAS" }];

test("pagination by a column with many ties returns each row exactly once, whatever the size of its pages", async ({
  request,
}) => {
  const { tableId } = await tableOf(request, "us-flights-2001");
  const ask = async (data: object) =>
    (
      await request.post(`/api/v2/public/tables/${tableId}/query`, { data, headers: { "x-api-key": readerKey() } })
    ).json();
  const columns = ["date", "delay", "distance", "origin", "destination"];
  const rowsBy = async (limit: number) => {
    const seen = new Map<string, number>();
    const counts = new Map<string, number>();
    let previous = "";
    const query = { columns, filters: FILTERS, order_by: [{ column: "origin", direction: "asc" }], limit };
    await readPages(request, tableId, query, (page) => {
      for (const row of page.rows) {
        const origin = String(row.origin);
        if (origin < previous) throw new Error(`${origin} came after ${previous}`);
        previous = origin;
        const key = Object.values(row).join("|");
        seen.set(key, (seen.get(key) ?? 0) + 1);
        counts.set(origin, (counts.get(origin) ?? 0) + 1);
      }
    });
    return { seen, counts };
  };
  const { seen, counts } = await rowsBy(10_000);
  const aggregates = [{ function: "count", as: "n" }];
  const grouped = await ask({ columns: [], filters: FILTERS, group_by: ["origin"], aggregates, limit: 10_000 });
  expect(Object.fromEntries(counts)).toEqual(
    Object.fromEntries(grouped.rows.map(({ origin, n }: { origin: string; n: number }) => [origin, n])),
  );
  if (FILTERS.length > 0) expect((await rowsBy(4_999)).seen).toEqual(seen);
  // Exact duplicates in the data are returned as often as they occur.
  else expect([...seen.values()].filter((n) => n > 1)).toHaveLength(191);
  expect(counts.size).toBeGreaterThan(50);
});

test("page by page without an order returns the version's own order, the same as one page", async ({ request }) => {
  const { tableId, rows } = await tableOf(request, "mauna-loa-co2");
  const all: unknown[] = [];
  await readPages(request, tableId, { columns: ["Date"], limit: 97 }, (page) => all.push(...page.rows));
  const whole = await request.post(`/api/v2/public/tables/${tableId}/query`, {
    data: { columns: ["Date"], limit: 10_000 },
    headers: { "x-api-key": readerKey() },
  });
  expect(all).toHaveLength(rows);
  expect(all).toEqual((await whole.json()).rows);
});
