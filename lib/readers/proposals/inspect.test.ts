import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { OFFICE } from "@/lib/testing/build-sources";
import { closedJson } from "./cut-json";
import { type Inspected, inspect } from "./inspect";
import { columnWarnings } from "./inspect-records";
import { inspectJsonColumn } from "./json-column";
import { suggestedTable } from "./suggested-table";

const look = (text: string | Buffer, about: Partial<Inspected> = {}) =>
  inspect({ head: Buffer.from(text as string), isWhole: true, name: "", mediaType: null, ...about });

test("values that differ only in the spelling of a unit or word are reported, also within objects", () => {
  const units = ["µg/m³", "ug/m3", "μg / m^3", "mW", "MW", "Berlin", "BERLIN", "Bern"];
  const found = look(`unit\n${units.join("\n")}\n`);
  expect(found.warnings).toEqual([
    '"unit": "µg/m³", "ug/m3", "μg / m^3" are probably spellings of one value. The step map can unify them.',
    '"unit": "Berlin", "BERLIN" are probably spellings of one value. The step map can unify them.',
  ]);
  const objects = units.slice(0, 2).map((unit) => JSON.stringify({ unit, value: 1 }));
  const column = inspectJsonColumn({ name: "level", kinds: ["object"] } as never, objects);
  expect(columnWarnings([column])).toEqual([expect.stringMatching(/^"level_unit": "µg\/m³", "ug\/m3" are/)]);
  const many = Array.from({ length: 300 }, (_, at) => `Text ${at}\ntext ${at}`).join("\n");
  expect(look(`note\n${many}\n`).warnings).toEqual([]);
});

describe("a reader is proposed for", () => {
  test("a plain csv file, with nothing but its format", () => {
    const found = look("id,name,on\n1,Ann,2026-01-31\n2,Bob,2026-02-01\n");
    expect(found.reader).toEqual({ format: "csv", options: {} });
    expect(found.columns?.map(({ name, type }) => [name, type])).toEqual([
      ["id", "int64"],
      ["name", "string"],
      ["on", "date"],
    ]);
    expect(found.warnings).toEqual([]);
  });
  test("semicolons, decimal commas, a preamble, a footer and windows-1252", () => {
    const rows = Array.from(
      { length: 20 },
      (_, at) => `0${at % 9}10${at % 10};Zürich Süd;${at},5;${(at % 28) + 1}.12.2025`,
    );
    const text = ["Bevölkerung nach Kreis", "", "Code;Ort;Wert;Tag", ...rows, "", "Quelle: Amt für Statistik", ""].join(
      "\r\n",
    );
    const found = look(iconv.encode(text, "windows-1252"));
    expect(found.reader?.options).toMatchObject({
      delimiter: ";",
      header: { rows: [3] },
      encoding: "windows-1252",
      stop_at: { blank_row: true },
    });
    expect(found.rows).toBe(20);
    expect(found.columns).toMatchObject([
      { name: "Code", type: "string", why: "codes with leading zeros" },
      { name: "Ort", type: "string" },
      { name: "Wert", type: "float64", number: { decimal: "," } },
      { name: "Tag", type: "date", date: ["%-d.%-m.%Y"] },
    ]);
  });
  test("a header of two rows with merged cells", () => {
    const text = "Region,2024,,2025,\n,men,women,men,women\nNorth,1,2,3,4\nSouth,5,6,7,8\nWest,9,1,2,3\n";
    expect(look(text).reader?.options).toEqual({ header: { rows: [1, 2], fill: "right" } });
  });
  test("a printed table: title lines, years over names, footnote marks, a blank line before the notes", () => {
    const found = look(iconv.encode(OFFICE, "windows-1252"));
    expect(found.reader?.options).toMatchObject({
      encoding: "windows-1252",
      delimiter: ";",
      header: { rows: [4, 5], fill: "right", drop_text: " ?[¹²³⁴⁵⁶⁷⁸⁹]\\)?$" },
      stop_at: { blank_row: true },
    });
    expect(found.columns?.map(({ name }) => name).slice(0, 4)).toEqual([
      "Gemeinde",
      "Kreis",
      "2025 Männer",
      "2025 Frauen",
    ]);
  });
  test("a header of years", () => {
    const found = look("Region,2023,2024,2025\nNorth,11,12,13\nSouth,14,15,16\n");
    expect(found.reader?.options).toEqual({});
    expect(found.columns?.map(({ name }) => name)).toEqual(["Region", "2023", "2024", "2025"]);
  });
  test("a file without a header", () => {
    expect(look("1,2\n3,4\n5,6\n").reader?.options).toEqual({ header: "none", columns: ["column_1", "column_2"] });
  });
  test("records below a member", () => {
    const text = JSON.stringify({ meta: { count: 2 }, result: { records: [{ a: 1 }, { a: 2 }] } });
    expect(look(text)).toMatchObject({ rows: 2, reader: { format: "json", options: { records: "/result/records" } } });
  });
  test("members of an object", () => {
    const members = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`type/${at}`, { source: "iana" }]));
    expect(look(JSON.stringify(members)).reader?.options).toEqual({ shape: "map", key_column: "key" });
  });
  test("NDJSON", () => expect(look('{"a":1}\n{"a":2}\n').reader?.format).toBe("ndjson"));
});

test("records of JSON are shown as they are, with all their digits", () => {
  const text = '{"data":[{"id":12345678901234567890,"at":{"x":1.50}},{"id":2}]}';
  expect(look(text).raw).toEqual([
    { n: 1, cells: ['{"id":12345678901234567890,"at":{"x":1.50}}'] },
    { n: 2, cells: ['{"id":2}'] },
  ]);
  expect(look('{"a":1}\n{"a":2}\n').raw?.[0]).toEqual({ n: 1, cells: ['{"a":1}'] });
});

test("null tokens are reported and ignored when the type is inferred", () => {
  const cells = Array.from({ length: 50 }, (_, at) => `${at},${at % 5 === 0 ? "n/a" : at * 10}`);
  expect(look(["id,value", ...cells].join("\n")).columns?.[1]).toMatchObject({
    type: "int64",
    nulls: 10,
    tokens: [{ token: "n/a", cells: 10, row: 2 }],
  });
});
test("ambiguous day and month formats are left to a person", () => {
  const found = look("on,n\n01/02/2026,1\n03/04/2026,2\n");
  expect(found.columns?.[0]?.date).toEqual(["%-d/%-m/%Y", "%-m/%-d/%Y"]);
  expect(found.warnings).toEqual([expect.stringContaining("A person must choose")]);
});
test("a truncated last line is ignored", () => expect(look("a,b\n1,2\n3,4\n5", { isWhole: false }).rows).toBe(2));
test("a web page is rejected as data", () => expect(look("<!DOCTYPE html><p>no</p>").reader).toBeUndefined());

test("missing or duplicate names and ragged records are handled", () => {
  const found = look("id,name,name,\n1,a,b,\n2,c,d,\n3,e,f,\n4,g\n5,h,i,\n6,j,k,\n");
  expect(found.reader?.options).toEqual({ blank_names: "drop_empty", duplicate_names: "number", ragged: "pad" });
});
test("a footer is found even if only the head and tail of a file were read", () => {
  const rows = Array.from({ length: 20 }, (_, at) => `${at},${at * 2}`).join("\n");
  const tail = Buffer.from("8,16\n19,38\n20,40\nSource: the office\n");
  const found = look(`id,value\n${rows}\n2`, { isWhole: false, tail });
  expect(found.reader?.options).toEqual({ skip_footer: 1 });
  expect(found.raw?.at(-1)).toEqual({ n: -1, cells: ["Source: the office"] });
});
test("strings that name a licence are reported", () => {
  expect(look("a,b\n1,2\n3,4\n,\nLicence: CC BY 4.0,\n").licenceHints).toEqual(["Licence: CC BY 4.0"]);
});

describe("truncated JSON", () => {
  test.each([
    ['[{"a":1},{"a":2},{"a"', '[{"a":1},{"a":2}]'],
    ['{"meta":{"n":2},"items":[{"t":["x","y"]},{"t":["z"', '{"meta":{"n":2},"items":[{"t":["x","y"]}]}'],
    ['{"a":{"x":1},"b":{"x":', '{"a":{"x":1}}'],
    ['{"types":{"t/1":{"s":"}"},"t/2":{"s":"\\"', '{"types":{"t/1":{"s":"}"}}}'],
  ])("%s is closed after its last complete record", (text, closed) => expect(closedJson(text)).toBe(closed));
  test("is rejected if its brackets do not match", () => expect(closedJson("[1,2}")).toBeUndefined());
  test("still shows where its records are", () => {
    const text = `{"data":[${Array.from({ length: 50 }, (_, id) => `{"id":${id}}`).join(",")},{"id"`;
    const found = look(text, { isWhole: false });
    expect(found).toMatchObject({ rows: 50, reader: { options: { records: "/data" } } });
  });
});

describe("pagination is detected", () => {
  const items = [{ id: 1 }, { id: 2 }];
  const url = "https://api.example.org/items?limit=2&offset=0";
  test.each([
    ["by the Link header", { items }, { link: '</items?page=2>; rel="next"', url }, { by: "link_header" }],
    [
      "by an address",
      { items, next: "https://api.example.org/items?at=2" },
      { url },
      { by: "next_url", path: "/next" },
    ],
    [
      "by a cursor",
      { items, meta: { next_cursor: "x", total: 9 } },
      { url },
      { by: "cursor", path: "/meta/next_cursor", send: { query: "cursor" }, stop: { total: "/meta/total" } },
    ],
    ["by offset", { items, total: 9 }, { url }, { by: "offset", size: 2, stop: { total: "/total" } }],
    [
      "by page",
      { items },
      { url: "https://api.example.org/items?page=1&per_page=2" },
      { by: "page", limit: "per_page", size: 2 },
    ],
  ])("%s", (_name, document, about, pages) => {
    expect(look(JSON.stringify(document), about).json?.paging?.pages).toEqual(pages);
  });
  test("with the actual number of records, if the source returns fewer than requested", () => {
    const found = look(JSON.stringify({ items, total: 9 }), { url: "https://api.example.org/items?page=1&limit=100" });
    expect(found.json?.paging?.pages).toEqual({ by: "page", size: 2, stop: { total: "/total" } });
    const last = look(JSON.stringify({ items, total: 9 }), { url: "https://api.example.org/items?page=3&limit=4" });
    expect(last.json?.paging?.pages).toMatchObject({ size: 4 });
  });
  test("by page only, from 0, without a size, if the URL has none", () => {
    const found = look(JSON.stringify({ items }), { url: "https://api.example.org/items?page=0" });
    expect(found.json?.paging?.pages).toEqual({ by: "page", start: 0 });
  });
  test("not without evidence", () => {
    expect(look(JSON.stringify({ items }), { url: "https://api.example.org/items" }).json?.paging).toBeUndefined();
  });
});

describe("steps are suggested that produce the proposed types:", () => {
  const steps = (text: string) => suggestedTable(look(text).columns ?? []).steps;
  test("one step for columns of one kind", () => {
    const rows = Array.from({ length: 9 }, (_, at) => `${at};${at * 3};${at},5;0${at + 1}.12.2025;-`);
    expect(steps(["a;b;c;d;e", ...rows].join("\n"))).toEqual([
      { step: "parse", columns: ["a", "b"], as: "int64" },
      { step: "parse", columns: ["c"], as: "float64", number: { decimal: "," } },
      { step: "parse", columns: ["d"], as: "date", date: { formats: ["%-d.%-m.%Y"] } },
    ]);
  });
  test("a first line that names the delimiter is one, however many follow", () => {
    expect(steps("sep=;\n".repeat(50_000))).toEqual([]);
  });
  test("a header of years becomes rows", () => {
    expect(steps("Region,2023,2024,2025\nNorth,11,12,13\nSouth,14,15,16\n")).toEqual([
      { step: "unpivot", columns: ["2023", "2024", "2025"], names_to: "year", values_to: "value" },
      { step: "parse", columns: ["year"], as: "int64" },
      { step: "parse", columns: ["value"], as: "int64" },
    ]);
  });
  test("a header of years becomes rows beside columns with the names of theirs", () => {
    const found = steps("Year,value,2023,2024,2025\na,b,11,12,13\nc,d,14,15,16\n");
    expect(found[0]).toMatchObject({ names_to: "year_2", values_to: "value_2" });
  });
  test("a header of years over groups becomes rows, with year and group", () => {
    const found = steps("Region,2024,,2025,\n,men,women,men,women\nNorth,1,2,3,4\nSouth,5,6,7,8\nWest,9,1,2,3\n");
    expect(found.slice(0, 2)).toEqual([
      {
        step: "unpivot",
        columns: ["2024 men", "2024 women", "2025 men", "2025 women"],
        names: { pattern: "^((?:19|20)\\d{2}) (.+)$", into: { year: 1, group: 2 } },
        values_to: "value",
      },
      { step: "parse", columns: ["year"], as: "int64" },
    ]);
  });
  test("objects in JSON are opened into the members that they have, strings in them parsed", () => {
    const objects = [
      { utc: "2026-01-31T00:00:00Z", at: { lat: 1.5, n: 1 } },
      { at: { lat: 2, n: null }, tags: ["a"] },
    ];
    const column = inspectJsonColumn(
      { name: "place", kinds: ["object"] },
      objects.map((object) => JSON.stringify(object)),
    );
    expect(suggestedTable([column])).toEqual({
      steps: [
        {
          step: "flatten",
          column: "place",
          fields: {
            place_utc: { at: "/utc", type: "string" },
            place_at_lat: { at: "/at/lat", type: "float64" },
            place_at_n: { at: "/at/n", type: "int64" },
            place_tags: { at: "/tags", type: "json" },
          },
        },
        { step: "parse", columns: ["place_utc"], as: "timestamp" },
      ],
      columns: [
        { name: "place_utc", type: "timestamp" },
        { name: "place_at_lat", type: "float64" },
        { name: "place_at_n", type: "int64" },
        { name: "place_tags", type: "json" },
      ],
    });
  });
  test("objects with a member named like another column are left as they are", () => {
    const place = inspectJsonColumn({ name: "place", kinds: ["object"] }, ['{"code":"A"}']);
    const other = inspectJsonColumn({ name: "Place_Code", kinds: ["string"] }, ["sA"]);
    expect(suggestedTable([place, other]).steps).toEqual([]);
  });
  test("objects with many members are left as they are", () => {
    const object = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}`, at]));
    expect(suggestedTable([inspectJsonColumn({ name: "map", kinds: ["object"] }, [JSON.stringify(object)])])).toEqual({
      steps: [],
      columns: [{ name: "map", type: "json" }],
    });
  });
  test("none for ambiguous day and month formats", () => expect(steps("on\n01/02/2026\n03/04/2026\n")).toEqual([]));
});

test("a reply with an empty list of records is reported, with its place", () => {
  const { warnings } = look('{"meta":{"found":139},"results":[]}');
  expect(warnings.join(" ")).toContain('Without items: "/results". The query may need another parameter');
});

describe("pages are proposed from a URL without parameters:", () => {
  const url = "https://api.example.org/items";
  const rows = Array.from({ length: 100 }, (_, id) => ({ id, name: `n${id}` }));
  const paging = (document: object) => look(JSON.stringify(document), { url }).json?.paging;
  test.each<[string, object, object, object]>([
    [
      "total, limit and offset",
      { total: 2345, limit: 100, offset: 0, data: rows },
      { by: "offset", size: 100, stop: { total: "/total" } },
      { offset: "100", limit: "100" },
    ],
    [
      "the number of pages",
      { meta: { total_pages: 24, page: 1, per_page: 100 }, data: rows },
      { by: "page", limit: "per_page", size: 100 },
      { page: "2", per_page: "100" },
    ],
    [
      "page and pageSize, from 0",
      { totalCount: 2345, pageIndex: 0, pageSize: 100, items: rows },
      { by: "page", page: "pageIndex", start: 0, limit: "pageSize", size: 100, stop: { total: "/totalCount" } },
      { pageIndex: "1", pageSize: "100" },
    ],
    [
      "Solr",
      { response: { numFound: 2345, start: 0, docs: rows } },
      { by: "offset", offset: "start", limit: "rows", size: 100, stop: { total: "/response/numFound" } },
      { start: "100", rows: "100" },
    ],
    [
      "OData",
      { "@odata.count": 2345, value: rows },
      { by: "offset", offset: "$skip", limit: "$top", size: 100, stop: { total: "/@odata.count" } },
      { $skip: "100", $top: "100" },
    ],
    ["has_more alone", { has_more: true, data: rows }, { by: "page", stop: { has_more: "/has_more" } }, { page: "2" }],
    [
      "a cursor",
      { next_cursor: "abc", data: rows },
      { by: "cursor", path: "/next_cursor", send: { query: "cursor" } },
      { cursor: "abc" },
    ],
  ])("%s", (_, document, pages, second) => {
    const found = paging(document);
    expect(found?.pages).toEqual(pages);
    expect(found?.guesses?.[0]?.second).toEqual(second);
  });
  test("but not if the reply has all records", () => {
    expect(paging({ total: 100, limit: 100, offset: 0, data: rows })).toBeUndefined();
    expect(paging({ meta: { total_pages: 1, page: 1 }, data: rows })).toBeUndefined();
    expect(paging({ next: null, count: 100, data: rows })).toBeUndefined();
  });
  test("a file that states more records than it has is a warning", () => {
    const { warnings } = look(JSON.stringify({ total: 2345, limit: 100, data: rows }));
    expect(warnings.join()).toContain('The source states 2,345 records at "/total"');
  });
});

describe("an empty list in a reply that indicates records is an empty page:", () => {
  const emptyPage = (document: unknown, about: Partial<Inspected> = {}) =>
    look(JSON.stringify(document), about).json?.emptyPage;
  test.each([
    [{ meta: { found: 139, per_page: 0 }, results: [] }, '"/results" is empty, although "/meta/found" is 139'],
    [{ total_pages: 3, data: [] }, '"/data" is empty, although "/total_pages" is 3'],
    [{ has_more: true, data: [] }, '"/data" is empty, although "/has_more" is true'],
    [{ data: [], next: "/items?page=2" }, '"/data" is empty, although "/next" is a URL'],
  ])("%j", (document, why) => expect(emptyPage(document)?.why).toBe(why));
  test("by a Link header", () => {
    expect(emptyPage([], { link: '</items?page=2>; rel="next"' })?.why).toContain("a Link header names a next page");
  });
  test("parameters that are members of the reply are named", () => {
    expect(emptyPage({ meta: { total: 3, page: 0, perPage: 0 }, data: [] })?.named).toEqual(["page", "perPage"]);
  });
  test.each([[{ total: 0, data: [] }], [{ data: [] }], [{ total: 3, data: [{ id: 1 }], other: [] }]])(
    "not %j",
    (document) => expect(emptyPage(document)).toBeUndefined(),
  );
});
