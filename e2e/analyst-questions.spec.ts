import { type APIRequestContext, expect } from "@playwright/test";
import { tableOf } from "./catalogue";
import { test } from "./test";

interface Reply {
  rows: Record<string, unknown>[];
  execution: { total_rows?: number; cell?: { chars: number; next_offset: number | null } };
}

/** The reply to a query without a key. */
async function ask(request: APIRequestContext, dataset: string, body: object, table?: string): Promise<Reply> {
  const { tableId } = await tableOf(request, dataset, table);
  const reply = await request.post(`/api/public/tables/${tableId}/query`, { data: { columns: [], ...body } });
  expect(reply.status()).toBe(200);
  return (await reply.json()) as Reply;
}

const count = { function: "count", as: "n" };
const by = (column: string, bucket: string) => [{ column, bucket, as: "span" }];
const mostFirst = { order_by: [{ column: "n", direction: "desc" }], limit: 1 };

test.describe("questions that one query answers", () => {
  test("flights per month, the busiest day and the hour with the worst delay", async ({ request }) => {
    const months = await ask(request, "us-flights-2001", { group_by: by("date", "month"), aggregates: [count] });
    expect(months.rows[0]).toEqual({ span: "2001-01-01", n: 508_239 });
    expect(months.rows.map(({ n }) => Number(n)).reduce((a, b) => a + b)).toBe(3_000_000);
    const days = { group_by: by("date", "day"), aggregates: [count], ...mostFirst, total: true };
    const { rows, execution } = await ask(request, "us-flights-2001", days);
    expect([rows, execution.total_rows]).toEqual([[{ span: "2001-06-29", n: 17_548 }], 182]);
    const mean = { function: "avg", column: "delay", as: "n" };
    const hours = { group_by: by("date", "hour_of_day"), aggregates: [mean], ...mostFirst };
    expect((await ask(request, "us-flights-2001", hours)).rows[0]?.span).toBe(3);
  });

  test("the wettest month in Seattle", async ({ request }) => {
    const rain = { function: "sum", column: "precipitation", as: "n" };
    const filters = [{ column: "location", operator: "eq", value: "Seattle" }];
    const months = { filters, group_by: by("date", "month_of_year"), aggregates: [rain], ...mostFirst };
    expect((await ask(request, "daily-weather", months)).rows[0]?.span).toBe(11);
  });

  test("licences that mention patents in any case, and the full text of one", async ({ request }) => {
    const search = { columns: ["license_id"], search: { text: "PATENT" }, limit: 1, total: true };
    expect((await ask(request, "spdx-licenses", search)).execution.total_rows).toBe(214);
    const filters = [{ column: "license_id", operator: "eq", value: "GPL-3.0-only" }];
    let text = "";
    for (let offset: number | null = 0; offset !== null; ) {
      const part: Reply = await ask(request, "spdx-licenses", { filters, cell: { column: "license_text", offset } });
      text += part.rows[0]?.license_text;
      offset = part.execution.cell?.next_offset ?? null;
    }
    expect(text).toHaveLength(34_508);
    expect(text.trim()).toMatch(/why-not-lgpl\.html>\.$/);
  });

  test("features of CSS that Chrome has and Safari has not", async ({ request }) => {
    const isIn = (browser: string) => ({
      function: "count",
      filters: [
        { column: "browser", operator: "eq", value: browser },
        { column: "supported", operator: "eq", value: true },
      ],
      as: browser,
    });
    const asked = {
      filters: [{ column: "category", operator: "eq", value: "css" }],
      group_by: ["feature"],
      aggregates: [isIn("chrome"), isIn("safari")],
      having: [
        { column: "chrome", operator: "gt", value: 0 },
        { column: "safari", operator: "eq", value: 0 },
      ],
      limit: 1,
      total: true,
    };
    const { execution } = await ask(request, "browser-compatibility", asked, "support");
    expect(execution.total_rows).toBe(528);
  });
});
