import { expect } from "@playwright/test";
import * as arrow from "apache-arrow";
import { parquetReadObjects } from "hyparquet";
import { tableOf } from "./catalogue";
import { readerKey } from "./service";
import { test } from "./test";

const QUERY = { columns: ["Date", "CO2"], order_by: [{ column: "Date" }], limit: 300 };

test(
  "a query answers as CSV, NDJSON, Arrow and Parquet with the JSON's rows, and headers lead on to the " + "next page",
  async ({ request }) => {
    const { tableId } = await tableOf(request, "mauna-loa-co2");
    const url = `/api/v2/public/tables/${tableId}/query`;
    const ask = (accept: string, at = url) =>
      request.post(at, { data: QUERY, headers: { accept, "x-api-key": readerKey() } });
    const json = await (await ask("application/json")).json();

    const csv = await ask("text/csv");
    expect(csv.headers()["content-type"]).toBe("text/csv; charset=utf-8; header=present");
    const [head, ...lines] = (await csv.text()).trimEnd().split("\r\n");
    expect(head).toBe("Date,CO2");
    const fromCsv = lines
      .map((line) => line.split(","))
      .map(([day, co2]) => ({ Date: day, CO2: co2 === "" ? null : Number(co2) }));
    expect(fromCsv).toEqual(json.rows);

    const ndjson = await ask("application/x-ndjson");
    expect(
      (await ndjson.text())
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(json.rows);

    const reply = await ask("application/vnd.apache.arrow.stream");
    const table = arrow.tableFromIPC(await reply.body());
    const cents = table.getChild("CO2")?.data[0]?.values as Uint32Array; // decimal(5,2): four words a value
    expect(table.numRows).toBe(json.rows.length);
    expect(json.rows.map((_row: unknown, at: number) => (cents[at * 4] ?? 0) / 100)).toEqual(
      json.rows.map(({ CO2 }: { CO2: number | null }) => CO2 ?? 0),
    );

    const parquet = await ask("application/vnd.apache.parquet");
    const rows = await parquetReadObjects({ file: new Uint8Array(await parquet.body()).buffer });
    expect(
      rows.map(({ Date: day, CO2 }) => ({
        Date: day.toISOString().slice(0, 10),
        CO2: CO2 === null ? null : Number(CO2.toFixed(2)),
      })),
    ).toEqual(json.rows);
    expect(parquet.headers()["content-disposition"]).toMatch(
      /^attachment; filename="mauna-loa-co2-monthly-[0-9a-f]{8}-rows\.parquet"$/,
    );

    for (const other of [csv, ndjson, reply, parquet]) {
      const { "x-next-cursor": cursor = "", "x-truncated": truncated, link = "", vary, etag } = other.headers();
      expect([truncated, cursor, vary]).toEqual(["true", json.next_cursor, expect.stringContaining("Accept")]);
      expect(etag).not.toBe((await ask("application/json")).headers().etag);
      const next = /<([^>]+)>; rel="next"/.exec(link)?.[1] ?? "";
      const second = await ask("application/json", next);
      expect(await second.json()).toMatchObject({
        rows: expect.any(Array),
        execution: { returned_rows: expect.any(Number) },
      });
    }
  },
);

test("the last page names no next one; errors are JSON whatever was requested; unavailable formats are 406", async ({
  request,
}) => {
  const { tableId } = await tableOf(request, "mauna-loa-co2");
  const url = `/api/public/tables/${tableId}/query`;
  const last = await request.post(url, {
    data: { columns: ["CO2"], filters: [{ column: "CO2", operator: "lt", value: 0 }] },
    headers: { accept: "text/csv" },
  });
  expect([await last.text(), last.headers()["x-next-cursor"], last.headers()["x-truncated"]]).toEqual([
    "CO2\r\n",
    undefined,
    "false",
  ]);
  const wrong = await request.post(url, { data: { columns: ["nothing"] }, headers: { accept: "text/csv" } });
  expect([wrong.status(), (await wrong.json()).error]).toEqual([400, "unknown_column"]);
  expect((await request.post(url, { data: { columns: ["CO2"] }, headers: { accept: "image/png" } })).status()).toBe(
    406,
  );
  const twice = await request.post(`${url}?cursor=x`, { data: { columns: ["CO2"], cursor: "x" } });
  expect([twice.status(), (await twice.json()).details[0].pointer]).toEqual([400, "?cursor"]);
});
