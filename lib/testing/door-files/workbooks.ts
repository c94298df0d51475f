import { inline, shared, text as sharedText, workbook } from "@/lib/testing/ugly-files/workbook";
import { zipOf } from "./archives";
import {
  asked,
  boolean,
  type DoorFile,
  date,
  type Expected,
  lines,
  NOT_PUBLISHED,
  number,
  read,
  refused,
  sheetOf,
  sheetRows,
  text,
  time,
  timestamp,
} from "./door-file";

type Parts = Parameters<typeof workbook>[0];

const book = (name: string, parts: Parts, ...recipe: Expected[]): DoorFile => ({
  name,
  file: "book.xlsx",
  bytes: () => workbook(parts),
  publish: NOT_PUBLISHED,
  recipe,
});

/** One sheet of `<row>` elements. */
const sheet = (name: string, data: string, ...recipe: Expected[]): DoorFile =>
  book(name, { sheets: [{ name: "S", data }] }, ...recipe);

const row = (at: number, ...cells: string[]): string => `<row r="${at}">${cells.join("")}</row>`;
const v = (ref: string, value: string, more = ""): string => `<c r="${ref}"${more}><v>${value}</v></c>`;
const head = (...names: string[]): string => row(1, ...names.map((name, at) => inline(`${"ABCDEFG"[at]}1`, name)));

/** Numbers as `<v>` has them. */
const digits = (name: string, ...values: string[]): DoorFile =>
  sheet(
    name,
    head("id", "v") + values.map((value, at) => row(at + 2, v(`A${at + 2}`, `${at}`), v(`B${at + 2}`, value))).join(""),
    read([number("id", ...values.map((_, at) => `${at}`)), { ...number("v", ...values), isOfSheet: true }]),
  );

const NUMBERS: readonly DoorFile[] = [
  digits("integers beyond 2^53", "9007199254740993", "1"),
  digits("integers of 19 and 20 digits", "1234567890123456789", "12345678901234567890"),
  digits("an exponent beyond 2^53", "1.2345678901234567E+18", "1E-7"),
  digits("money of 17 digits", "999999999999999.99", "2.5"),
  digits("a tenth and a third", "0.1", "0.33333333333333331"),
  digits("the digits that Excel writes for 0.1 + 0.2", "0.30000000000000004", "1.1000000000000001"),
  digits("negative numbers and zeros", "-1.5", "0", "-0.25"),
  digits("one and a bit", "1.0000000000000001", "1"),
  sheet(
    "text of digits keeps its zeros",
    head("code", "n") +
      ["007", "010", "100"]
        .map((code, at) => row(at + 2, inline(`A${at + 2}`, code), v(`B${at + 2}`, `${at}`)))
        .join(""),
    read([text("code", "007", "010", "100"), number("n", "0", "1", "2")]),
  ),
  sheet(
    "text of numbers with decimal commas",
    head("a", "b") +
      ["1,5", "2,25", "3,125"]
        .map((cell, at) => row(at + 2, inline(`A${at + 2}`, cell), v(`B${at + 2}`, `${at}`)))
        .join(""),
    read([number("a", "1,5=1.5", "2,25=2.25", "3,125=3.125"), number("b", "0", "1", "2")]),
  ),
];

const errors = (value: string): string => `<c r="A2" t="e"><v>${value}</v></c>`;

/** Cells that have no value of their own. */
const LOST: readonly DoorFile[] = [
  ...["#N/A", "#DIV/0!", "#REF!", "#VALUE!", "#NAME?"].map((value) =>
    sheet(
      `the error ${value}`,
      head("a", "b") +
        row(2, errors(value), v("B2", "1")) +
        row(3, v("A3", "2"), v("B3", "3")) +
        row(4, v("A4", "4"), v("B4", "5")),
      read([number("a", null, "2", "4"), number("b", "1", "3", "5")], { cells: 1 }),
    ),
  ),
  sheet(
    "an error, booleans, strings of formulas and a formula without a value",
    head("a", "b", "c", "d") +
      row(
        2,
        errors("#N/A"),
        v("B2", "1", ' t="b"'),
        '<c r="C2" t="str"><f>A1</f><v>007</v></c>',
        '<c r="D2"><f>1+1</f><v>2</v></c>',
      ) +
      row(
        3,
        v("A3", "1"),
        v("B3", "0", ' t="b"'),
        '<c r="C3" t="str"><f>B1</f><v></v></c>',
        '<c r="D3"><f>SUM(A1)</f></c>',
      ) +
      row(4, v("A4", "3"), v("B4", "1", ' t="b"'), v("C4", "x", ' t="str"'), v("D4", "4")),
    read(
      [
        number("a", null, "1", "3"),
        boolean("b", "true", "false", "true"),
        text("c", "007", null, "x"),
        number("d", "2", null, "4"),
      ],
      { cells: 2 },
    ),
  ),
  sheet(
    "formulas without values in a whole column",
    head("a", "b") + [2, 3, 4].map((at) => row(at, v(`A${at}`, `${at}`), `<c r="B${at}"><f>A${at}*2</f></c>`)).join(""),
    read([number("a", "2", "3", "4"), text("b", null, null, null)], { cells: 3 }),
  ),
  sheet(
    "an error in the last row",
    head("a", "b") + row(2, v("A2", "1"), v("B2", "2")) + row(3, v("A3", "3"), '<c r="B3" t="e"><v>#N/A</v></c>'),
    read([number("a", "1", "3"), number("b", "2", null)], { cells: 1 }),
  ),
];

const STYLES =
  '<numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy-mm-dd hh:mm:ss"/>' +
  '<numFmt numFmtId="165" formatCode="[h]:mm"/><numFmt numFmtId="166" formatCode="0.00%"/></numFmts>' +
  '<cellXfs count="7"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/>' +
  '<xf numFmtId="166"/><xf numFmtId="20"/><xf numFmtId="10"/></cellXfs>';

const styled = (name: string, style: number, cells: readonly string[], expected: Expected, more: Partial<Parts> = {}) =>
  book(
    name,
    {
      styles: STYLES,
      ...more,
      sheets: [
        {
          name: "S",
          data:
            head("n", "t") +
            cells
              .map((cell, at) => row(at + 2, v(`A${at + 2}`, `${at}`), v(`B${at + 2}`, cell, ` s="${style}"`)))
              .join(""),
        },
      ],
    },
    expected,
  );

const rows = (count: number) => number("n", ...Array.from({ length: count }, (_, at) => `${at}`));

const DATES: readonly DoorFile[] = [
  styled("days", 1, ["45292", "45657"], read([rows(2), date("t", "2024-01-01", "2024-12-31")])),
  styled("days of 1904", 1, ["44561", "44562"], read([rows(2), date("t", "2026-01-01", "2026-01-02")]), {
    workbookPr: '<workbookPr date1904="1"/>',
  }),
  styled(
    "days and times",
    2,
    ["45292.5", "45292.75"],
    read([
      rows(2),
      timestamp("t", "2024-01-01T12:00:00=2024-01-01 12:00:00", "2024-01-01T18:00:00=2024-01-01 18:00:00"),
    ]),
  ),
  styled("times of day", 5, ["0.5", "0.75"], read([rows(2), time("t", "12:00:00", "18:00:00")])),
  styled("durations of more than a day", 3, ["1.5", "2.25"], read([rows(2), text("t", "36:00:00", "54:00:00")])),
  styled("per cent", 4, ["0.125", "0.5"], read([rows(2), number("t", "0.125", "0.5")])),
  styled("the day that 1900 did not have", 1, ["60", "61"], read([rows(2), text("t", "1900-02-29", "1900-03-01")])),
];

const TABLE = [text("place", "Aarau", "Bern", "Chur"), number("n", "1", "2", "3")];
const CELLS = [
  ["place", "n"],
  ["Aarau", "1"],
  ["Bern", "2"],
  ["Chur", "3"],
];

const SHEETS: readonly DoorFile[] = [
  book(
    "two sheets, the second has the table",
    {
      sheets: [
        { name: "About", data: "" },
        { name: "Data", data: sheetRows(CELLS) },
      ],
    },
    read(TABLE),
  ),
  book(
    "two tables of the same size",
    {
      sheets: [
        { name: "One", data: sheetRows(CELLS) },
        { name: "Two", data: sheetRows(CELLS) },
      ],
    },
    read(TABLE),
    asked(/sheet/i),
  ),
  book(
    "a hidden sheet with more cells",
    {
      sheets: [
        { name: "Data", data: sheetRows(CELLS) },
        { name: "Old", state: "hidden", data: sheetRows([...CELLS, ["x", "4"], ["y", "5"]]) },
      ],
    },
    read(TABLE),
  ),
  {
    name: "a table that begins in column C and row 4",
    file: "book.xlsx",
    bytes: () => sheetOf([[null], [null], [null], ...CELLS.map((cells) => [null, null, ...cells])]),
    publish: NOT_PUBLISHED,
    recipe: [read(TABLE)],
  },
  sheet("hidden rows are rows", sheetRows(CELLS).replace('<row r="3">', '<row r="3" hidden="1">'), read(TABLE)),
  sheet(
    "references in lower case",
    sheetRows(CELLS).replace(/r="([A-B])(\d)"/g, (_, letter: string, at: string) => `r="${letter.toLowerCase()}${at}"`),
    read(TABLE),
    refused(/reference|a1/i),
  ),
  sheet("cells without references", sheetRows(CELLS).replace(/ r="[A-Z]?\d+"/g, ""), read(TABLE)),
  sheet("empty rows only", '<row r="1"/><row r="2"/>', refused(/empty|blank|no (?:row|value)|without|cell|header/i)),
  sheet("no rows", "", refused(/empty|blank|no (?:row|value)|without|cell|header/i)),
  sheet(
    "rows out of order",
    row(1, inline("A1", "a"), inline("B1", "b")) +
      row(3, v("A3", "3"), v("B3", "4")) +
      row(2, v("A2", "1"), v("B2", "2")),
    refused(/order|row/i),
    read([number("a", "3", "1"), number("b", "4", "2")]),
    read([number("a", "1", "3"), number("b", "2", "4")]),
  ),
  sheet(
    "a cell that is written twice",
    head("a", "b") + row(2, v("A2", "1"), v("A2", "9"), v("B2", "2")) + row(3, v("A3", "3"), v("B3", "4")),
    refused(/A2|two cells|twice|duplicate|order/i),
  ),
  sheet(
    "a cell beyond the header",
    head("a", "b") +
      row(2, v("A2", "1"), v("B2", "2")) +
      row(3, v("A3", "3"), v("B3", "4"), inline("C3", "x")) +
      row(4, v("A4", "5"), v("B4", "6")),
    read([number("a", "1", "3", "5"), number("b", "2", "4", "6")], { cells: 1 }),
    read([number("a", "1", "3", "5"), number("b", "2", "4", "6"), text("column_3", null, "x", null)]),
    refused(/row 3/i),
  ),
];

const TEXTS: readonly DoorFile[] = [
  sheet(
    "CR LF in the first record",
    head("a", "b") + row(2, v("A2", "1"), inline("B2", "x&#13;&#10;y")) + row(3, v("A3", "2"), inline("B3", "z")),
    read([number("a", "1", "2"), text("b", "x\r\ny", "z")]),
  ),
  sheet(
    "CR as Excel escapes it in the first record",
    head("a", "b") + row(2, v("A2", "1"), inline("B2", "x_x000D_\ny")) + row(3, v("A3", "2"), inline("B3", "z")),
    read([number("a", "1", "2"), text("b", "x\r\ny", "z")]),
  ),
  sheet(
    "CR alone in the first record",
    head("a", "b") + row(2, v("A2", "1"), inline("B2", "x_x000D_y")) + row(3, v("A3", "2"), inline("B3", "z")),
    read([number("a", "1", "2"), text("b", "x\ry", "z")]),
  ),
  sheet(
    "a lone surrogate as Excel escapes it",
    head("a", "b") + row(2, v("A2", "1"), inline("B2", "x_xD83D_y")) + row(3, v("A3", "2"), inline("B3", "z")),
    refused(/surrogate|character|B2/i),
    read([number("a", "1", "2"), text("b", "x_xD83D_y", "z")]),
    read([number("a", "1", "2"), text("b", "x\ufffdy", "z")], { cells: 1 }),
  ),
  sheet(
    "a pair of surrogates as Excel escapes them",
    head("a", "b") + row(2, v("A2", "1"), inline("B2", "_xD83D__xDE00_")) + row(3, v("A3", "2"), inline("B3", "z")),
    read([number("a", "1", "2"), text("b", "😀", "z")]),
    refused(/surrogate|character|B2/i),
  ),
  sheet(
    "NUL as Excel escapes it",
    head("a", "b") + row(2, v("A2", "1"), inline("B2", "x_x0000_y")) + row(3, v("A3", "2"), inline("B3", "z")),
    refused(/NUL|character|B2/i),
    read([number("a", "1", "2"), text("b", "x\0y", "z")]),
    read([number("a", "1", "2"), text("b", "x_x0000_y", "z")]),
  ),
  book(
    "rich text and phonetic readings",
    {
      strings:
        `${sharedText("a")}${sharedText("b")}<si><r><t>bold</t></r><r><t xml:space="preserve"> and plain</t></r></si>` +
        `<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si>`,
      sheets: [
        {
          name: "S",
          data:
            row(1, shared("A1", 0), shared("B1", 1)) +
            row(2, v("A2", "1"), shared("B2", 2)) +
            row(3, v("A3", "2"), shared("B3", 3)),
        },
      ],
    },
    read([number("a", "1", "2"), text("b", "bold and plain", "東京")]),
  ),
  book(
    "a shared string that does not exist",
    { strings: sharedText("a"), sheets: [{ name: "S", data: row(1, shared("A1", 0)) + row(2, shared("A2", 7)) }] },
    refused(/shared|string|A2|7/i),
  ),
];

const CSV = lines("id,name", "1,a", "2,b");

/** Workbooks whose parts or containers are damaged, and files that are named like others. */
const DAMAGED: readonly DoorFile[] = [
  {
    name: "a workbook whose sheet has a wrong checksum",
    file: "book.xlsx",
    bytes: async () => withWrongChecksum(await sheetOf(CELLS), "xl/worksheets/sheet1.xml"),
    publish: NOT_PUBLISHED,
    recipe: [refused(/crc|checksum/i, /sheet1/)],
  },
  {
    name: "a workbook whose list of sheets has a wrong checksum",
    file: "book.xlsx",
    bytes: async () => withWrongChecksum(await sheetOf(CELLS), "xl/workbook.xml"),
    publish: NOT_PUBLISHED,
    recipe: [refused(/crc|checksum/i, /workbook/)],
  },
  {
    name: "a workbook that is cut",
    file: "book.xlsx",
    bytes: async () => (await sheetOf(CELLS)).subarray(0, 700),
    publish: NOT_PUBLISHED,
    recipe: [refused(/cut|truncated|end|damaged|directory|zip|workbook/i)],
  },
  {
    name: "an old workbook, or one with a password",
    file: "book.xlsx",
    bytes: Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), Buffer.alloc(1500)]),
    publish: NOT_PUBLISHED,
    recipe: [refused(/xls|password|excel/i)],
  },
  {
    name: "a table named xlsx",
    file: "book.xlsx",
    bytes: CSV,
    publish: NOT_PUBLISHED,
    recipe: [read([number("id", "1", "2"), text("name", "a", "b")]), refused(/xlsx|workbook/i)],
  },
  {
    name: "a workbook named csv",
    file: "book.csv",
    bytes: () => sheetOf(CELLS),
    publish: [refused(/xlsx|workbook|zip|UTF-8|NUL/i)],
    recipe: [read(TABLE)],
  },
  {
    name: "a zip without a workbook, named xlsx",
    file: "book.xlsx",
    bytes: zipOf([{ name: "a.txt", data: Buffer.from("x") }]),
    publish: NOT_PUBLISHED,
    recipe: [refused(/workbook|zip|sheet/i), read([text("x")])],
  },
  sheet(
    "a sheet whose XML is cut",
    '<?xml version="1.0"?><worksheet xmlns="x"><sheetData><row r="1"><c r="A1"><v>1',
    refused(/xml|sheet|closed|cut/i),
  ),
];

/** The same zip with a changed checksum of one member, in both places. */
function withWrongChecksum(bytes: Buffer, name: string): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf("PK\x01\x02"); at >= 0; at = copy.indexOf("PK\x01\x02", at + 4)) {
    const length = copy.readUInt16LE(at + 28);
    if (copy.subarray(at + 46, at + 46 + length).toString() !== name) continue;
    const local = copy.readUInt32LE(at + 42);
    copy.writeUInt32LE(0xdeadbeef, at + 16);
    if (copy.readUInt32LE(local + 14) !== 0) copy.writeUInt32LE(0xdeadbeef, local + 14);
  }
  return copy;
}

/** Workbooks. */
export const WORKBOOK_FILES: readonly DoorFile[] = [...NUMBERS, ...LOST, ...DATES, ...SHEETS, ...TEXTS, ...DAMAGED];
