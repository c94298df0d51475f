import { describe, expect, test } from "vitest";
import { rejection, useReading } from "@/lib/testing/read-file";

const { read } = useReading();

describe("JSON keeps every digit and every kind", () => {
  test.each([
    [
      "long numbers",
      '[{"a":9007199254740993,"b":18446744073709551616,"c":0.1}]',
      {
        types: { a: "int64", b: "decimal(38,0)", c: "float64" },
        rows: [["9007199254740993", "18446744073709551616", "0.1"]],
      },
    ],
    ["digits as strings", '[{"a":"007"},{"a":"12"}]', { types: { a: "string" }, rows: [["007"], ["12"]] }],
    [
      "mixed kinds",
      '[{"a":true},{"a":"12"},{"a":1.50},{"a":null}]',
      { types: { a: "json" }, rows: [["true"], ['"12"'], ["1.50"], [null]] },
    ],
    [
      "late and missing members",
      '{"a":1}\n{"b":"x\\ny"}\n{}\n',
      {
        types: { a: "int64", b: "string" },
        rows: [
          ["1", null],
          [null, "x\ny"],
          [null, null],
        ],
      },
    ],
    ["a first object without members", '[{},{"a":1}]', { types: { a: "int64" }, rows: [[null], ["1"]] }],
    ["empty strings and nulls", '[{"a":""},{"a":null}]', { types: { a: "string" }, rows: [[""], [null]] }],
    [
      "dates and instants",
      '[{"d":"2024-01-02","t":"2024-01-02T03:04:05+01:00"}]',
      { types: { d: "date", t: "timestamp" }, rows: [["2024-01-02", "2024-01-02 02:04:05+00"]] },
    ],
    [
      "lists",
      '[{"s":["a",null],"n":[1,9007199254740993],"f":[1,0.5],"m":[1,"a"],"e":[]}]',
      {
        types: { s: "list<string>", n: "list<int64>", f: "list<float64>", m: "json", e: "json" },
        rows: [["[a, NULL]", "[1, 9007199254740993]", "[1.0, 0.5]", '[1,"a"]', "[]"]],
      },
    ],
    [
      "lists of integers beyond 64 bits",
      '[{"a":[9223372036854775808]},{"a":[-1,null]}]',
      {
        types: { a: "list<decimal(38,0)>" },
        rows: [["[9223372036854775808]"], ["[-1, NULL]"]],
      },
    ],
    [
      "lists with a number that no double is",
      '[{"a":[9007199254740993,1.5]},{"a":[]}]',
      {
        types: { a: "json" },
        rows: [["[9007199254740993,1.5]"], ["[]"]],
      },
    ],
    [
      "lists of money, and an integer of 60 digits",
      `[{"a":[1.50,2],"b":[${"9".repeat(60)}]}]`,
      {
        types: { a: "list<float64>", b: "json" },
        rows: [["[1.5, 2.0]", `[${"9".repeat(60)}]`]],
      },
    ],
    [
      "lists whose digits a double would round",
      '[{"f":[1.0000000000000001],"b":[9223372036854775808],"n":[0.5,null]},{"f":[2],"b":[1],"n":[ 1e5 ,-2]}]',
      {
        types: { f: "json", b: "list<decimal(38,0)>", n: "list<float64>" },
        rows: [
          ["[1.0000000000000001]", "[9223372036854775808]", "[0.5, NULL]"],
          ["[2]", "[1]", "[100000.0, -2.0]"],
        ],
      },
    ],
    [
      "numbers that a double would round",
      '[{"a":999999999999999.99,"b":1e-400,"t":"2024-01-05T10:00:00+02:75"},{"a":2.5,"b":1,"t":null}]',
      {
        types: { a: "decimal(18,2)", b: "json", t: "string" },
        rows: [
          ["999999999999999.99", "1e-400", "2024-01-05T10:00:00+02:75"],
          ["2.50", "1", null],
        ],
      },
    ],
    [
      "objects stay JSON with their digits",
      '[{"o":{ "x": 1.10, "y": "a b" }}]',
      { types: { o: "json" }, rows: [['{"x":1.10,"y":"a b"}']] },
    ],
    ["escapes", '[{"a\\u00e9":"\\u0041\\"\\\\"}]', { types: { aé: "string" }, rows: [['A"\\']] }],
    ["negative zero is not a whole number", '[{"a":-0}]', { types: { a: "float64" }, rows: [["-0.0"]] }],
    ["booleans", '[{"a":true},{"a":false}]', { types: { a: "boolean" }, rows: [["true"], ["false"]] }],
  ])("%s", async (_name, content, expected) => {
    expect(await read("a.json", content)).toEqual(expected);
  });

  test.each([
    ["objects over several lines, and several on one", '{\n"a": 1\n}\r\n\n{"a":2}{"a":3}'],
    ["an array with blanks", '\ufeff [ {"a" :1} ,\n\t{"a": 2},{"a":3}\n] \n'],
  ])("%s", async (_name, content) => {
    expect(await read("a.json", content)).toEqual({ types: { a: "int64" }, rows: [["1"], ["2"], ["3"]] });
  });

  test("declared types read the existing values", async () => {
    const notes = [
      { name: "a", type: "string" },
      { name: "b", type: "decimal(10,2)" },
      { name: "c", type: "json" },
    ];
    const list = [{ name: "l", type: "list<decimal(20,16)>" }];
    expect((await read("l.json", '[{"l":[1.0000000000000001, 2]}]', list)).rows).toEqual([
      ["[1.0000000000000001, 2.0000000000000000]"],
    ]);
    const content = '{"a":true,"b":0.10,"c":1}\n{"a":"12","b":"1.5","c":"x"}\n';
    expect((await read("a.ndjson", content, notes)).rows).toEqual([
      ["true", "0.10", "1"],
      ["12", "1.50", '"x"'],
    ]);
  });

  test.each([
    ["a value that is not the declared type", '[{"a":"x"}]', [{ name: "a", type: "int64" }], /Row 1, column "a"/],
    ["the same member twice", '[{"a":1,"a":2}]', [], /line 1\): duplicate key "a"/],
    ["half of a surrogate pair", '[{"a":"\\ud800"}]', [], /surrogate/],
    ["invalid JSON", '{"a":1}\n{"a":01}\n', [], /Line 2: not valid JSON/],
    ["an array that is cut off", '[{"a":1}', [], /never closed/],
    ["an object that is cut off", '{"a":1', [], /never closed/],
    ["rows that are not objects", "[1,2]", [], /Record 1 \(line 1\): not an object: 1/],
    ["a missing comma", '[{"a":1} {"a":2}]', [], /\{" found where a comma/],
    ["nothing", "[]", [], /no columns: the records \(0\)/],
    ["objects without members", "[{},{}]", [], /no columns: the records \(2\)/],
    ["an object without members", "{}", [], /no columns: the records \(1\)/],
    ["half of a surrogate pair in an object", '[{"a":{"b":["\\udc00x"]}}]', [], /surrogate/],
    ["a document with text after it", '[{"a":1}] x', [], /after the end of the document/],
    ["a comma after the last record", '[{"a":1},]', [], /not valid JSON: "]" found where a value/],
    ["commas between lines", '{"a":1},\n{"a":2}', [], /Line 1: "," found where an object should start/],
    ["a string that is never closed", '{"a":"x}\n{"a":"y"}', [], /Line 1: .*closing quote is missing/],
    ["UTF-16 without a mark", "[\0{\0}\0]\0", [], /UTF-16|UTF-8/],
    ["an unknown note", '[{"a":1}]', [{ name: "b" }], /Unknown column "b"/],
  ])("%s is rejected", async (_name, content, notes, message) => {
    expect(await rejection(read("a.json", content, notes))).toMatch(message);
  });
});
