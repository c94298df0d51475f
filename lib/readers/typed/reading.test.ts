import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { rejection, useReading } from "@/lib/testing/read-file";

const { read } = useReading();

/** The single column of a CSV with these lines. */
async function readColumn(lines: readonly string[], type?: string) {
  const { types, rows } = await read("a.csv", `x\n${lines.join("\n")}\n`, type ? [{ name: "x", type }] : []);
  return { type: types.x, values: rows.map(([value]) => value) };
}

test.each([
  ["empty cells", "", "5", "int64"],
  ["whole numbers", "5", "0.5", "float64"],
  ["whole numbers", "5", "five", "string"],
  ["fractions", "0.5", "5", "float64"],
  ["dates", "2024-02-29", "2024-02-29T10:00:00Z", "string"],
])("a column that begins with thousands of %s, %j, and continues with %j is %s", async (_, first, later, type) => {
  expect((await readColumn([...Array.from({ length: 2_000 }, () => first), later])).type).toBe(type);
});

test("a column whose first cell comes after the first 50,000 rows gets the type of its cells", async () => {
  const lines = Array.from({ length: 50_010 }, (_, at) => (at < 50_001 ? "1,,x" : "1,5,x"));
  const { types } = await read("a.csv", `a,b,c\n${lines.join("\n")}\n`);
  expect(types).toMatchObject({ a: "int64", b: "int64", c: "string" });
});

describe("a text column gets the first type that represents every cell exactly", () => {
  test.each([
    [["1", "-20", "0"], "int64", ["1", "-20", "0"]],
    [["007", "8"], "string", ["007", "8"]],
    [["+5"], "string", ["+5"]],
    [["1_000"], "string", ["1_000"]],
    [["-0"], "float64", ["-0.0"]],
    [["9223372036854775807"], "int64", ["9223372036854775807"]],
    [["9223372036854775808", "1"], "decimal(38,0)", ["9223372036854775808", "1"]],
    [["9".repeat(39)], "string", ["9".repeat(39)]],
    [["9007199254740993", "0.5"], "string", ["9007199254740993", "0.5"]],
    [["0.10", "2", "1e3", ".5"], "float64", ["0.1", "2.0", "1000.0", "0.5"]],
    [["12345678901234567890.12", "0.10", "3.00"], "string", ["12345678901234567890.12", "0.10", "3.00"]],
    [
      ["0.30000000000000004", "100000000.000000000000", "1.7976931348623157e308"],
      "float64",
      ["0.30000000000000004", "100000000.0", "1.7976931348623157e+308"],
    ],
    [["1.5", "NaN", "-inf"], "float64", ["1.5", "nan", "-inf"]],
    [["1e400"], "string", ["1e400"]],
    [["0.5", `1.5${"0".repeat(150)}`], "float64", ["0.5", "1.5"]],
    [["5", "9".repeat(150)], "string", ["5", "9".repeat(150)]],
    [["00.5"], "string", ["00.5"]],
    [["1,5"].map((text) => `"${text}"`), "string", ["1,5"]],
    [["true", "FALSE"], "boolean", ["true", "false"]],
    [["yes", "no"], "string", ["yes", "no"]],
    [["0", "1"], "int64", ["0", "1"]],
    [["2024-02-29", "0001-01-01"], "date", ["2024-02-29", "0001-01-01"]],
    [["2024-02-30"], "string", ["2024-02-30"]],
    [["2024-1-5"], "string", ["2024-1-5"]],
    [["infinity"], "float64", ["inf"]],
    [["0000-01-01"], "string", ["0000-01-01"]],
    [["2024-01-01T00:00:00+05:30"], "timestamp", ["2023-12-31 18:30:00+00"]],
    [["2024-01-01 10:00", "2024-01-01T10:00Z"], "timestamp", ["2024-01-01 10:00:00+00", "2024-01-01 10:00:00+00"]],
    [["2024-01-01 10:00:00.123456-0700"], "timestamp", ["2024-01-01 17:00:00.123456+00"]],
    [["2024-01-01 10:00:00.1234567"], "string", ["2024-01-01 10:00:00.1234567"]],
    [["2024-01-01T24:00:00Z"], "string", ["2024-01-01T24:00:00Z"]],
    [["0001-01-01T00:00:00+01:00"], "string", ["0001-01-01T00:00:00+01:00"]],
    [["2024-01-01", "2024-01-01T00:00:00Z"], "string", ["2024-01-01", "2024-01-01T00:00:00Z"]],
    [["10:00:00.5"], "time", ["10:00:00.5"]],
    [["1", "two"], "string", ["1", "two"]],
    [["1", '""'], "string", ["1", ""]],
    [["1", "", "2"], "int64", ["1", null, "2"]],
    [["", ""], "string", [null, null]],
    [['""', ""], "string", ["", null]],
    [["NULL", "NA"], "string", ["NULL", "NA"]],
    [["6f9619ff-8b86-d011-b42d-00c04fc964ff"], "string", ["6f9619ff-8b86-d011-b42d-00c04fc964ff"]],
  ])("%j is %s", async (lines, type, values) => {
    expect(await readColumn(lines)).toEqual({ type, values });
  });

  test("values beyond the sample decide as much as those in it", async () => {
    const lines = Array.from({ length: 60_000 }, (_, row) => (row === 59_999 ? "007" : String(row)));
    const { type, values } = await readColumn(lines);
    expect([type, values[0], values[59_999]]).toEqual(["string", "0", "007"]);
  });
});

describe("a declared type is enforced on every row", () => {
  test.each([
    ["int8", ["127", "-128", "007"], ["127", "-128", "7"]],
    ["uint64", ["18446744073709551615"], ["18446744073709551615"]],
    ["decimal(10,2)", ["0.10", "1.500", "-3"], ["0.10", "1.50", "-3.00"]],
    ["decimal(38,0)", ["9".repeat(38)], ["9".repeat(38)]],
    ["float32", ["0.1", "NaN"], ["0.1", "nan"]],
    ["float64", ["0.1000000000000000055", "+5", "0e5"], ["0.1", "5.0", "0.0"]],
    ["string", ["1", '""', ""], ["1", "", null]],
    ["int64", ["1", '""', ""], ["1", null, null]],
    ["boolean", ["yes", "0"], ["true", "false"]],
    ["timestamp", ["2024-01-01", "2024-01-01T01:00:00+01:00"], ["2024-01-01 00:00:00+00", "2024-01-01 00:00:00+00"]],
    ["time", ["10:00"], ["10:00:00"]],
    ["uuid", ["6F9619FF-8B86-D011-B42D-00C04FC964FF"], ["6f9619ff-8b86-d011-b42d-00c04fc964ff"]],
    ["binary", ["AAE="], ["\\x00\\x01"]],
    ["json", ['"{""a"": 1.50}"'], ['{"a": 1.50}']],
    ["list<int64>", ['"[1,null,9007199254740993]"'], ["[1, NULL, 9007199254740993]"]],
    ["list<string>", ['"[""a"",""007""]"'], ["[a, 007]"]],
  ])("%s holds %j", async (type, lines, values) => {
    expect(await readColumn(lines, type)).toEqual({ type, values });
  });

  test.each([
    ["int8", ["1", "128"], "Row 2"],
    ["int64", ["1.5"], "Row 1"],
    ["uint8", ["-1"], "Row 1"],
    ["decimal(10,2)", ["1", "1.005"], "Row 2"],
    ["decimal(3,2)", ["10"], "Row 1"],
    ["float32", ["1e39"], "Row 1"],
    ["float64", ["1", "1e-400"], "Row 2"],
    ["float64", ["1e400"], "Row 1"],
    ["timestamp", ["2024-01-01T10:00:00+02:75"], "Row 1"],
    ["timestamp", ["2024-01-01T10:00:00Z", "2024-01-01T10:00:00-16:00"], "Row 2"],
    ["boolean", ["maybe"], "Row 1"],
    ["date", ["2024-02-30"], "Row 1"],
    ["date", ["10000-01-01"], "Row 1"],
    ["date", ["infinity"], "Row 1"],
    ["timestamp", ["2024-01-01 10:00:00.1234567"], "Row 1"],
    ["uuid", ["x"], "Row 1"],
    ["binary", ["%%"], "Row 1"],
    ["json", ["{"], "Row 1"],
    ["json", ["[1]", '"{""a"":NaN}"'], "Row 2"],
    ["json", ['"[1,]"'], "Row 1"],
    ["list<int64>", ['"[1.5]"'], "Row 1"],
  ])("%s rejects %j, naming the row", async (type, lines, row) => {
    const message = await rejection(readColumn(lines, type));
    expect(message).toContain(`${row}, column "x"`);
    expect(message).toContain(`is not ${type}`);
  });

  test("a cast error far beyond the sample is reported with its row", async () => {
    const lines = Array.from({ length: 70_000 }, (_, row) => (row === 65_432 ? "x" : "1"));
    expect(await rejection(readColumn(lines, "int64"))).toContain("Row 65433");
  });
});

describe("a CSV file is unambiguous, or rejected with line and column", () => {
  test.each([
    [
      "byte order mark and CRLF",
      '\ufeffa,b\r\n1,"x\r\ny"\r\n',
      { types: { a: "int64", b: "string" }, rows: [["1", "x\r\ny"]] },
    ],
    ["CR only", "a,b\r1,2\r", { types: { a: "int64", b: "int64" }, rows: [["1", "2"]] }],
    ["no last line end", "a,b\n1,2", { types: { a: "int64", b: "int64" }, rows: [["1", "2"]] }],
    [
      "semicolons",
      "a;b\n1;0,5\n2;0,6\n",
      {
        types: { a: "int64", b: "string" },
        rows: [
          ["1", "0,5"],
          ["2", "0,6"],
        ],
      },
    ],
    ["pipes", "a|b\n1|2\n", { types: { a: "int64", b: "int64" }, rows: [["1", "2"]] }],
    ["quotes in plain and quoted text", 'a,b\nx"y,"z""\n', undefined],
    ["a quote inside plain text", 'a,b\nx"y,"z""z"\n', { types: { a: "string", b: "string" }, rows: [['x"y', 'z"z']] }],
    [
      "blank lines between records",
      "a,b\n1,2\n\n3,4\n",
      {
        types: { a: "int64", b: "int64" },
        rows: [
          ["1", "2"],
          ["3", "4"],
        ],
      },
    ],
    [
      "a blank line of a single column is a null",
      "a\nx\n\ny\n",
      { types: { a: "string" }, rows: [["x"], [null], ["y"]] },
    ],
    ["only a header", "a,b\n", { types: { a: "string", b: "string" }, rows: [] }],
    ["quoted names", '"a,b","c\td"\n1,2\n', undefined],
    [
      "names with blanks and quotes",
      '" a","b ""c"""\n1,2\n',
      { types: { " a": "int64", 'b "c"': "int64" }, rows: [["1", "2"]] },
    ],
    [
      "non-ASCII text",
      "città,名\nPerù,東京 🗼\n",
      { types: { città: "string", 名: "string" }, rows: [["Perù", "東京 🗼"]] },
    ],
    ["blanks are text", "a,b\n x ,y\n", { types: { a: "string", b: "string" }, rows: [[" x ", "y"]] }],
  ])("%s", async (_name, content, expected) => {
    if (expected === undefined) expect(await rejection(read("a.csv", content))).toMatch(/Line \d|column \d/);
    else expect(await read("a.csv", content)).toEqual(expected);
  });

  test("TSV", async () => {
    expect(await read("a.tsv", "a\tb\n1,5\tx\n")).toEqual({
      types: { a: "string", b: "string" },
      rows: [["1,5", "x"]],
    });
  });

  test("a cell of 20 MB", async () => {
    const { rows } = await read("a.csv", `a,b\n"${"x\n".repeat(10_000_000)}",1\n`);
    expect(rows[0]?.[0]?.length).toBe(20_000_000);
  });

  test.each([
    ["a short record", "a,b\n1,2\n3\n", /Line 3 ends after 1 of 2 fields, at column "a"/],
    ["a long record", "a,b\n1,2,3\n", /Line 2 has 3 fields, but the header has 2/],
    ["an extra empty field, which DuckDB tolerates", "a,b\n1,2,\n", /Line 2 has 3 fields/],
    [
      "blanks before a quote, which DuckDB drops",
      'a,b\n1, "x"\n',
      /Line 2, column "b" has spaces before its opening quote/,
    ],
    ["text after a closing quote", 'a,b\n"x"y,2\n', /Line 2, column "a" has text after its closing quote/],
    ["an open quote", 'a,b\n1,2\n"x,2\n3,4\n', /Line 3, column .* never closed/],
    ["mixed line ends", "a,b\n1,2\r\n", /Line 2, column "b" ends with CRLF/],
    [
      "bytes that are not UTF-8, after a quoted line end",
      Buffer.concat([Buffer.from('a,b\n"x\ny",2\n1,'), Buffer.from([0xff, 0x0a])]),
      /Line 4, column "b" contains bytes that are not UTF-8/,
    ],
    ["a cut character at the end", Buffer.concat([Buffer.from("a,b\n1,"), Buffer.from([0xe6, 0x9d])]), /UTF-8/],
    ["UTF-16", Buffer.from("\ufeffa,b\n1,2\n", "utf16le"), /UTF-16/],
    ["an empty file", "", /is empty/],
    ["a blank first line", "\n1,2\n", /header|no name/],
    ["an unnamed column", "a,,c\n1,2,3\n", /column 2 has no name/],
    ["the same name twice", "a,b,a\n1,2,3\n", /columns 1 and 3 are both "a"/],
    ["names that differ only in case", "Id,ID\n1,2\n", /columns 1 and 2 are both "ID" \(ignoring case\)/],
  ])("%s is rejected", async (_name, content, message) => {
    expect(await rejection(read("a.csv", content))).toMatch(message);
  });
});

test("gzip is unpacked whatever the file's name; a damaged file is rejected", async () => {
  const packed = gzipSync("a\n1\n");
  expect((await read("a.csv.gz", packed)).rows).toEqual([["1"]]);
  expect(await rejection(read("a.csv.gz", packed.subarray(0, -6)))).toMatch(
    /^\d+-a\.csv\.gz cannot be read: .*cut short/,
  );
});
