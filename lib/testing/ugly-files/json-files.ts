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
    name: "columns of arrays of different lengths",
    format: "json",
    options: { records: "", shape: "columns" },
    bytes: text('{"a":[1,2],"b":["x"]}'),
    rejected: { code: "reader_mismatch", words: /"b".*1.*2/ },
  },
  {
    name: "one object",
    format: "json",
    options: { records: "/a", shape: "single" },
    bytes: text('{"a":{"x":1,"y":{"z":[1, 2]}}}'),
    read: { columns: ["x", "y"], rows: [[1, "1", '{"z":[1,2]}']] },
  },
  {
    name: "no records where they should be",
    format: "json",
    options: { records: "/data/items" },
    bytes: text('{"data":{"rows":[]}}'),
    rejected: { code: "reader_mismatch", words: /\/data\/items/ },
  },
  {
    name: "no records, and that is fine",
    format: "json",
    options: { records: "/data/items", missing_records: "empty", fields: { a: "/a" } },
    bytes: text('{"data":null}'),
    read: { columns: ["a"], rows: [] },
  },
  {
    name: "an error instead of records",
    format: "json",
    options: { records: "/items" },
    bytes: text('{"error":{"message":"API key expired"}}'),
    rejected: { code: "reader_mismatch", words: /API key expired/ },
  },
  {
    name: "a truncated download",
    format: "json",
    options: { records: "" },
    bytes: text('[{"a":1},{"a":2},{"a"'),
    rejected: { code: "reader_mismatch", row: 3, words: /truncated|never closed/ },
  },
  {
    name: "a duplicate member",
    format: "json",
    options: { records: "" },
    bytes: text('[{"a":1},{"a":2,"a":3}]'),
    rejected: { code: "reader_mismatch", row: 2, words: /"a"/ },
  },
  {
    name: "NaN, which is not JSON",
    format: "json",
    options: { records: "" },
    bytes: text('[{"a":1},{"a":NaN}]'),
    rejected: { code: "reader_mismatch", row: 2, words: /JSON/ },
  },
  {
    name: "half of a surrogate pair",
    format: "json",
    options: { records: "" },
    bytes: text('[{"a":"\\ud83d"}]'),
    rejected: { code: "reader_mismatch", row: 1, words: /surrogate/ },
  },
  {
    name: "items that are not objects",
    format: "json",
    options: { records: "" },
    bytes: text('[{"a":1},[2]]'),
    rejected: { code: "reader_mismatch", row: 2, words: /object/ },
  },
  {
    name: "a thousand nested brackets",
    format: "json",
    options: { records: "" },
    bytes: text(`[{"a":${"[".repeat(1000)}${"]".repeat(1000)}}]`),
    rejected: { code: "reader_mismatch", row: 1, words: /nested/ },
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
    name: "NDJSON with a bad line",
    format: "ndjson",
    bytes: lines('{"a":1}', '{"a":', '{"a":3}'),
    rejected: { code: "reader_mismatch", row: 2, words: /line 2/i },
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
];
