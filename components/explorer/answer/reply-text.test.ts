import { expect, test } from "vitest";
import { readReply, readRow } from "./reply-text";

const head =
  '{"schema_version":"service-public-table-query.v1","query_id":"qry_1","table":{"id":"t","version_id":"v","content_digest":"sha256:d","published_at":"p"},';
const reply = (columns: string, rows: string): string =>
  `${head}"columns":${columns},"rows":[${rows}],"execution":{"returned_rows":2,"scanned_bytes":3,"elapsed_ms":4,"truncated":true},"next_cursor":"c"}`;

test("rows are parsed when needed and keep every digit, even in lists and JSON", () => {
  const page = readReply(
    reply(
      '[{"name":"n","type":"int64"}]',
      '{"n":9007199254740993},\n{"n":[0.10,{"deep":123456789012345678901234567890}]}',
    ),
  );
  expect(page.rows).toHaveLength(2);
  expect(String(readRow(page.rows[0] ?? "").n)).toBe("9007199254740993");
  const [tenth, nested] = readRow(page.rows[1] ?? "").n as [unknown, { deep: unknown }];
  expect([String(tenth), String(nested.deep)]).toEqual(["0.10", "123456789012345678901234567890"]);
  expect(page.facts).toEqual({
    queryId: "qry_1",
    versionId: "v",
    digest: "sha256:d",
    publishedAt: "p",
    rows: 2,
    scannedBytes: 3,
    elapsedMs: 4,
    truncated: true,
  });
  expect(page.nextCursor).toBe("c");
});

test("names and values that look like the reply's own parts do not mislead", () => {
  const hostile = JSON.stringify('],"execution":{ "rows":[ },\n{');
  const page = readReply(reply(`[{"name":${hostile},"type":"string"}]`, `{${hostile}:${hostile}},\n{${hostile}:null}`));
  expect(page.rows.map((row) => Object.values(readRow(row)))).toEqual([[JSON.parse(hostile)], [null]]);
});

test("an empty reply has no rows, and anything that is not a reply is rejected", () => {
  expect(readReply(reply("[]", "")).rows).toEqual([]);
  expect(() => readReply("<html>")).toThrow(SyntaxError);
});
