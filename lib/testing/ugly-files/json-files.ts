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
  {
    name: "a duplicate key on the way to the records",
    format: "json",
    options: { records: "/r/data" },
    bytes: text('{"m":1,"m":2,"r":{"data":[{"a":1}],\n"data":[{"a":2}]}}'),
    rejected: { code: "reader_mismatch", words: /Line 2: duplicate key "data"/ },
  },
  {
    name: "a duplicate key elsewhere",
    format: "json",
    options: { records: "/data" },
    bytes: text('{"m":1,"m":2,"data":[{"a":1}]}'),
    read: { columns: ["a"], rows: [[1, "1"]] },
  },
  {
    name: "a duplicate key with values of two kinds",
    format: "ndjson",
    bytes: lines('{"a":"x","a":[1]}'),
    rejected: { code: "reader_mismatch", row: 1, words: /Line 1: duplicate key "a"/ },
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
    name: "a row with fewer values than names",
    format: "json",
    options: { records: "/rows", shape: "rows", names: "/columns" },
    bytes: text('{"columns":["a","b"],"rows":[[1,2],[3]]}'),
    rejected: { code: "reader_mismatch", row: 2, words: /Record 2 \(line 1\): 1 values, but there are 2 column names/ },
  },
  {
    name: "names of rows that are duplicated",
    format: "json",
    options: { records: "/rows", shape: "rows", names: "/columns" },
    bytes: text('{"columns":["a","a"],"rows":[[1,2]]}'),
    rejected: { code: "reader_mismatch", words: /two columns are called "a"/ },
  },
  {
    name: "rows without the names that should be there",
    format: "json",
    options: { records: "/rows", shape: "rows", names: "/columns" },
    bytes: text('{"rows":[[1,2]]}'),
    rejected: { code: "reader_mismatch", words: /No list of column names at \/columns/ },
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
    name: "NDJSON with commas after its lines",
    format: "ndjson",
    bytes: lines('{"a":1},', '{"a":2}'),
    rejected: { code: "reader_mismatch", row: 1, words: /Line 1: "," found where an object should start/ },
  },
  {
    name: "NDJSON whose last line is cut off",
    format: "ndjson",
    bytes: text('{"a":1}\n{"a":2}\n{"a":'),
    rejected: { code: "reader_mismatch", row: 3, words: /Line 3: .*cut off/ },
  },
  {
    name: "a line break in a string",
    format: "ndjson",
    bytes: text('{"a":1}\n{"a":"x\ny"}'),
    rejected: { code: "reader_mismatch", row: 2, words: /Line 2: .*line break/ },
  },
  {
    name: "no comma between records",
    format: "json",
    bytes: text('[{"a":1}\n{"a":2}]'),
    rejected: { code: "reader_mismatch", row: 2, words: /line 2\): .*"\{" found where a comma/ },
  },
  {
    name: "a word that is no JSON, far from the records",
    format: "json",
    options: { records: "/data" },
    bytes: text('{"meta":{"x":NaN},"data":[{"a":1}]}'),
    rejected: { code: "reader_mismatch", words: /Line 1: not valid JSON .*NaN/ },
  },
  {
    name: "text after the document",
    format: "json",
    bytes: text('[{"a":1}]\n{"a":2}'),
    rejected: { code: "reader_mismatch", words: /Line 2: "\{" found after the end of the document/ },
  },
  {
    name: "keys that differ only in case",
    format: "json",
    bytes: text('[{"a":1,"A":2}]'),
    rejected: { code: "reader_mismatch", words: /"a" and "A" differ only in case/ },
  },
  {
    name: "a key with NUL",
    format: "json",
    bytes: text('[{"a\\u0000b":1}]'),
    rejected: { code: "reader_mismatch", words: /NUL/ },
  },
  {
    name: "keys that JavaScript's objects have, and keys with dots and slashes",
    format: "ndjson",
    options: { fields: { proto: "/__proto__", deep: "/a~1b/c.d", none: "/constructor" } },
    bytes: lines('{"__proto__":"x","a/b":{"c.d":-0}}'),
    read: { columns: ["proto", "deep", "none"], rows: [[1, "sx", "-0", null]] },
  },
  {
    name: "half of a surrogate pair within an object",
    format: "ndjson",
    bytes: lines('{"a":{"b":["\\udc00"]}}'),
    rejected: { code: "reader_mismatch", row: 1, words: /surrogate/ },
  },
  {
    name: "JSON in UTF-16",
    format: "json",
    bytes: Buffer.from('\ufeff[{"a":1}]', "utf16le"),
    rejected: { code: "reader_mismatch", words: /UTF-16.*save the file as UTF-8/ },
  },
  {
    name: "JSON in windows-1252",
    format: "ndjson",
    bytes: Buffer.from('{"a":1}\n{"a":"M\xfcnchen"}\n', "latin1"),
    rejected: { code: "encoding_invalid", row: 2, words: /Line 2: bytes that are not UTF-8/ },
  },
];
