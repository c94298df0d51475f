import { parquetMetadata } from "hyparquet";
import { afterAll, expect, test } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { PAGE_FORMATS } from "@/lib/formats/page-formats";
import { PARQUET_MEDIA } from "@/lib/formats/parquet-media";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { queryReplySchema } from "@/lib/schemas/query-reply";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { serve } from "@/lib/testing/serve";
import { queryTable } from "./query-table";

useTestState();

afterAll(async () => {
  await closeReadingEngine();
});

test("notes are part of JSON alone, and of the ETag; without them a reply is what it was", async () => {
  const receipt = await publishText("open", "id,word\n1,one\n2,two\n3,three\n");
  const { key } = await createUseKey({ email: "reader@example.com", name: "reader" }, new Date());
  const body = { columns: ["id"], filters: [{ column: "word", operator: "eq", value: "Three" }] };
  const send = (more: object, accept = "application/json") => {
    const headers = { "content-type": "application/json", "x-api-key": key, accept };
    const request = new Request("http://localhost/query", {
      method: "POST",
      headers,
      body: JSON.stringify({ ...body, ...more }),
    });
    return serve({ POST: queryTable }).POST(request, { params: Promise.resolve({ table_id: receipt.table_id }) });
  };
  const [without, noted] = [await send({}), await send({ notes: true })];
  expect(noted.headers.get("etag")).not.toBe(without.headers.get("etag"));
  const reply = await noted.json();
  expect(queryReplySchema.parse(reply).execution.notes).toEqual([
    {
      code: "value_not_found",
      pointer: "/filters/0/value",
      message: "No row has “Three” in the column word. Did you mean “three”?",
      values: ["three"],
    },
    expect.objectContaining({ code: "other_case", count: 1 }),
  ]);
  expect((await without.json()).execution).not.toHaveProperty("notes");
  for (const { media } of PAGE_FORMATS) {
    // a cell of several rows would be rejected by the query itself
    const refused = await send({ notes: true, columns: [], filters: [], cell: { column: "word" } }, media);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringMatching(/"pointer": ?"\/notes"/)]);
  }
});

test("a page as Parquet names its version, its query and its rows, as a file of all rows does", async () => {
  const receipt = await publishText("named", "id,word\n1,one\n2,two\n3,three\n");
  const body = { columns: ["id"], filters: [{ column: "id", operator: "gte", value: 2 }] };
  const { key } = await createUseKey({ email: "parquet@example.com", name: "reader" }, new Date());
  const headers = { "content-type": "application/json", "x-api-key": key, accept: PARQUET_MEDIA };
  const request = new Request("http://localhost/query", { method: "POST", headers, body: JSON.stringify(body) });
  const reply = await serve({ POST: queryTable }).POST(request, {
    params: Promise.resolve({ table_id: receipt.table_id }),
  });
  const { key_value_metadata: facts = [] } = parquetMetadata(await reply.arrayBuffer());
  const said = Object.fromEntries(facts.map((fact) => [fact.key, fact.value]));
  expect(said).toMatchObject({
    dataset: "named",
    version_id: receipt.version_id,
    sha256: receipt.content_digest.replace("sha256:", ""),
    rows: "2",
  });
  expect(JSON.parse(said.query ?? "")).toMatchObject(body);
});
