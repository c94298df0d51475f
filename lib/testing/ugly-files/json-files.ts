import { lines, type UglyFile } from "./ugly-file";

const text = (value: string): Buffer => Buffer.from(value);

/** JSON and NDJSON. Numbers keep their digits; strings carry the mark `s`. */
export const JSON_FILES: readonly UglyFile[] = [
  {
    name: "records below a pointer, with more around them",
    format: "json",
    options: { records: "/data/items" },
    bytes: text(
      '{"meta":{"items":[{"no":1}],"t":"]}"},"data":{"a":[1,{"b":2}],"items":[{"x":1.10,"y":"q\\"]"},{"y":null,' +
        '"x":12345678901234567890}]},"z":[]}',
    ),
    read: {
      columns: ["x", "y"],
      rows: [
        [1, "1.10", 'sq"]'],
        [2, "12345678901234567890", null],
      ],
    },
  },
  {
    name: "a map of objects, its names as a column",
    format: "json",
    options: { records: "", shape: "map", key_column: "type" },
    bytes: text('{"text/a":{"compressible":true,"extensions":["a","b"]},"b/c":{"source":"iana"},"b/d":{}}'),
    read: {
      columns: ["type", "compressible", "extensions", "source"],
      rows: [
        [1, "stext/a", "true", '["a","b"]', null],
        [2, "sb/c", null, null, "siana"],
        [3, "sb/d", null, null, null],
      ],
    },
  },
  {
    name: "fields by pointer, into nested objects and lists",
    format: "json",
    options: { records: "/results", fields: { id: "/id", at: "/date/utc", first: "/tags/0", raw: "/date" } },
    bytes: text('{"results":[{"id":1,"date":{"utc":"2026-01-01"},"tags":["x","y"]},{"id":2,"date":null,"tags":[]}]}'),
    read: {
      columns: ["id", "at", "first", "raw"],
      rows: [
        [1, "1", "s2026-01-01", "sx", '{"utc":"2026-01-01"}'],
        [2, "2", null, null, null],
      ],
    },
  },
  {
    name: "objects flattened two levels deep",
    format: "json",
    options: { records: "", flatten: { depth: 2, join: "." } },
    bytes: text('[{"a":{"b":{"c":{"d":1}},"e":"x"},"f":[{"g":1}]},{"a":3}]'),
    read: {
      columns: ["a.b.c", "a.e", "f", "a"],
      rows: [
        [1, '{"d":1}', "sx", '[{"g":1}]', null],
        [2, null, null, null, "3"],
      ],
    },
  },
  {
    name: "columns of arrays",
    format: "json",
    options: { records: "/d", shape: "columns" },
    bytes: text('{"d":{"a":[1,2.50,null],"b":["x","y","z"]}}'),
    read: {
      columns: ["a", "b"],
      rows: [
        [1, "1", "sx"],
        [2, "2.50", "sy"],
        [3, null, "sz"],
      ],
    },
  },
  {
    name: "one object",
    format: "json",
    options: { records: "/a", shape: "single" },
    bytes: text('{"a":{"x":1,"y":{"z":[1, 2]}}}'),
    read: { columns: ["x", "y"], rows: [[1, "1", '{"z":[1,2]}']] },
  },
  {
    name: "no records, and that is fine",
    format: "json",
    options: { records: "/data/items", missing_records: "empty", fields: { a: "/a" } },
    bytes: text('{"data":null}'),
    read: { columns: ["a"], rows: [] },
  },
  {
    name: "NDJSON with blank lines and a byte order mark",
    format: "ndjson",
    bytes: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), lines('{"a":1}', "", '{"b":"x","a":2}')]),
    read: {
      columns: ["a", "b"],
      rows: [
        [1, "1", null],
        [3, "2", "sx"],
      ],
    },
  },
  {
    name: "NDJSON with bad lines that are skipped, and counted",
    format: "ndjson",
    options: { bad_lines: "skip" },
    bytes: lines('{"a":1}', "oops", '{"a":3}'),
    read: {
      columns: ["a"],
      rows: [
        [1, "1"],
        [3, "3"],
      ],
      rejected: 1,
    },
  },
  {
    name: "a duplicate key elsewhere",
    format: "json",
    options: { records: "/data" },
    bytes: text('{"m":1,"m":2,"data":[{"a":1}]}'),
    read: { columns: ["a"], rows: [[1, "1"]] },
  },
  {
    name: "rows as lists of values, their names in objects after them",
    format: "json",
    options: { records: "/data", shape: "rows", names: "/meta/columns" },
    bytes: text('{"data":[[1.50,"x",null],[2,"y",[1]]],"meta":{"columns":[{"name":"a"},{"name":"b"},{"name":"c"}]}}'),
    read: {
      columns: ["a", "b", "c"],
      rows: [
        [1, "1.50", "sx", null],
        [2, "2", "sy", "[1]"],
      ],
    },
  },
  {
    name: "rows as lists of values below their names",
    format: "json",
    options: { shape: "rows", names: "/0" },
    bytes: text('[["NAME","POP"],["Alabama","4779736"],["Alaska","710231"]]'),
    read: {
      columns: ["NAME", "POP"],
      rows: [
        [2, "sAlabama", "s4779736"],
        [3, "sAlaska", "s710231"],
      ],
    },
  },
  {
    name: "objects over several lines, and several on one line",
    format: "ndjson",
    bytes: text('{\n "a": 1\n}\r\n{"a":2}{"a":3}'),
    read: {
      columns: ["a"],
      rows: [
        [1, "1"],
        [4, "2"],
        [4, "3"],
      ],
    },
  },
  {
    name: "keys that JavaScript's objects have, and keys with dots and slashes",
    format: "ndjson",
    options: { fields: { proto: "/__proto__", deep: "/a~1b/c.d", none: "/constructor" } },
    bytes: lines('{"__proto__":"x","a/b":{"c.d":-0}}'),
    read: { columns: ["proto", "deep", "none"], rows: [[1, "sx", "-0", null]] },
  },
];
