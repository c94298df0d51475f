import { expect, test } from "vitest";
import { readNamedTable, sqlNameOf, sqlUrl, tableSqlUrl } from "./sql-address";

const VERSION = "f47ac10b-58cc-4372-a567-0e02b2c3d479";

test("tables, versions and the query are in the URL, and come back from it", () => {
  const tables = [
    { name: "f", slug: "us-flights-2001", table: "flights", version: VERSION },
    { name: "mime_types", slug: "mime-types", table: "types", version: "1.50.0" },
  ];
  const sql = "SELECT 'é', 1 + 1 -- 100 %\nFROM f";
  const url = new URL(sqlUrl(tables, sql), "https://example.org");
  expect(url.searchParams.getAll("t").map(readNamedTable)).toEqual(tables);
  expect(url.searchParams.get("q")).toBe(sql);
  expect(tableSqlUrl("us-flights-2001", "flights", VERSION)).toBe(`/sql?t=flights:us-flights-2001/flights@${VERSION}`);
  expect(sqlUrl([])).toBe("/sql");
});

test("a table has a name of its own without being given one", () => {
  expect(readNamedTable("mime-types/types-of-files")?.name).toBe("types_of_files");
  expect(sqlNameOf("2001-flights")).toBe("t_2001_flights");
  expect(tableSqlUrl("a", "versions")).toBe("/sql?t=versions:a/versions-");
});

test.each(["", "a", "a/b/c", "x y:a/b", "1x:a/b", "A/b", `${"a".repeat(101)}/b`, "a/b@"])(
  "%j names no table",
  (text) => {
    expect(readNamedTable(text)).toBeUndefined();
  },
);
