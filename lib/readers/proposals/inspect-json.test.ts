import { describe, expect, test } from "vitest";
import { findFormat } from "./format";
import { type Inspected, inspect } from "./inspect";
import { inspectJsonColumn } from "./json-column";

const look = (document: unknown, about: Partial<Inspected> = {}) =>
  inspect({
    head: Buffer.from(typeof document === "string" ? document : JSON.stringify(document)),
    ...{ isWhole: true, name: "", mediaType: null, ...about },
  });

describe("rows that are lists of values get the names that are", () => {
  const rows = [
    [1, "x"],
    [2, "y"],
  ];
  test.each([
    ["a list of strings", { columns: ["a", "b"], index: [0, 1], data: rows }, "/data", "/columns"],
    [
      "objects",
      { meta: { view: { columns: [{ name: "a" }, { name: "b" }] } }, data: rows },
      "/data",
      "/meta/view/columns",
    ],
    ["after the rows", { values: rows, header: ["a", "b"] }, "/values", "/header"],
    ["the first row", { table: [["a", "b"], ...rows] }, "/table", "/table/0"],
  ])("%s", (_name, document, records, names) => {
    const { reader, warnings } = look(document);
    expect(reader?.options).toEqual({ records, shape: "rows", names });
    expect(warnings.join(" ")).toContain(`The records at "${records}" are lists`);
  });
  test("none of another length: the columns are numbered, and the warning says so", () => {
    const { reader, warnings } = look({ meta: { columns: [{ name: "a" }] }, data: rows });
    expect(reader?.options).toEqual({ records: "/data", fields: { column_1: "/0", column_2: "/1" } });
    expect(warnings.join(" ")).toContain("no list of as many names was found");
  });
});

test.each([
  [
    "arrays of equal length are columns",
    { hourly: { time: ["a", "b"], level: [1, 2] } },
    { records: "/hourly", shape: "columns" },
  ],
  ["records beside a description of the page", [{ page: 1 }, [{ a: 1 }, { a: 2 }]], { records: "/1" }],
  ["few objects with the same members are a map", { x: { a: 1 }, y: { a: 2 } }, { shape: "map", key_column: "key" }],
  ["one object is one record", { a: 1, b: { c: 2 } }, { shape: "single" }],
  ["an error is no record", { error: "expired" }, {}],
])("%s", (_name, document, options) => expect(look(document).reader?.options).toEqual(options));

test("several places that could be the records are named with their counts", () => {
  const { reader, warnings } = look({
    men: [{ a: 1 }],
    women: [{ a: 3 }, { a: 4 }, { a: 5 }],
    other: [{ b: 1 }, { b: 2 }],
  });
  expect(reader?.options).toEqual({ records: "/women" });
  expect(warnings).toEqual([
    'The records could also be at "/other" (2 items) or "/men" (1 item). Proposed: "/women" (3 items).',
  ]);
});
test("what follows the part that was read is unknown, and said to be", () => {
  const { warnings } = look('{"data":[{"a":1},{"a":2},{"a"', { isWhole: false });
  expect(warnings.join(" ")).toContain("Only the start of the document was searched");
});
test("a duplicate key on the way to the records does not end the inspection", () => {
  expect(look('{"data":[{"a":1}],"data":[{"a":2}]}').reader?.options).toEqual({ records: "/data" });
});

describe("the format of text", () => {
  const format = (text: string, name = "", mediaType: string | null = null) =>
    findFormat(Buffer.from(text), text, { name, mediaType }).value;
  test.each([
    ["[Id],[Name]\n1,a\n", "csv"],
    ["[1],[2]\n3,4\n", "csv"],
    ["{Id},{Name}\n1,a\n", "csv"],
    ['[{"a":1}]', "json"],
    ["[]", "json"],
    ["[[1,2],[3,4]]", "json"],
    ["[{'a':1}]", "json"],
    ["// a comment\n[{a:1}]", "json"],
    ['{\n"a":1\n}', "json"],
    ['{"a":1}\n{"a":2}', "ndjson"],
    ['{\n"a":1\n}\n{\n"a":2\n}', "ndjson"],
    ['{"a":1},\n{"a":2},', "ndjson"],
    ['{"a":\n{"a":2}\n{"a":3}\n', "ndjson"],
    ["[1,2]\n[3,4]\n", "ndjson"],
  ])("%j is %s", (text, value) => expect(format(text)).toBe(value));
  test("one object is a line if its name or media type says so", () => {
    expect(format('{"a":1}\n', "x.json")).toBe("json");
    expect(format('{"a":1}\n', "x.ndjson")).toBe("ndjson");
    expect(format('{"a":1}\n', "", "application/x-ndjson; charset=utf-8")).toBe("ndjson");
    expect(format("42", "x.json")).toBe("json");
  });
});

describe("digits decide the types of numbers:", () => {
  test.each([
    [["1", "-9223372036854775808"], "int64"],
    [["9223372036854775808", "-1"], "decimal(38,0)"],
    [["0.1", "1e5", "-0"], "float64"],
    [["1.0000000000000001"], "decimal(18,16)"],
    [["1e400"], "json"],
    [["1e-400"], "json"],
    [["9".repeat(39)], "json"],
  ])("%j", (numbers, type) => expect(inspectJsonColumn({ name: "c", kinds: ["number"] }, numbers).type).toBe(type));
  test("those of lists and of members", () => {
    const column = (kind: "array" | "object", ...cells: string[]) =>
      inspectJsonColumn({ name: "c", kinds: [kind], items: ["number"] }, cells);
    expect(column("array", "[9007199254740993]", "[9223372036854775808]").type).toBe("list<decimal(38,0)>");
    expect(column("array", "[9007199254740993,1.5]").type).toBe("json");
    const big = column("object", '{"x":9223372036854775808,"y":1.5}', '{"x":1,"y":null}');
    expect(big.members?.map(({ type }) => type)).toEqual(["decimal(38,0)", "float64"]);
    expect(big.members?.[0]?.column.examples).toEqual(["9223372036854775808", "1"]);
  });
  test.each([['{"x":1.0000000000000001}'], ['{"x":-0}'], ['{"x":[1e400]}'], ['{"x":1,"x":2}']])(
    "flatten is not proposed for %s, of which it would lose something",
    (cell) => expect(inspectJsonColumn({ name: "c", kinds: ["object"] }, [cell]).members).toBeUndefined(),
  );
  test("nor where a member is an object in some records only", () => {
    const cells = ['{"x":1}', '{"x":{"y":2}}'];
    expect(inspectJsonColumn({ name: "c", kinds: ["object"] }, cells).members).toBeUndefined();
  });
});
