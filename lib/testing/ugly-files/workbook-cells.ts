import type { UglyFile } from "./ugly-file";
import { inline, shared, text, workbook } from "./workbook";

/** Workbooks whose cells are written in unusual ways. */
export const WORKBOOK_CELLS: readonly UglyFile[] = [
  {
    name: "numbers with all their digits, without exponents; 17 digits of a double stand for the double",
    format: "xlsx",
    bytes: () =>
      workbook({
        sheets: [
          {
            name: "S",
            data: `<row r="1">${inline("A1", "n")}</row>${[
              "12345678901234567890",
              "0.1000000000000000055",
              "9007199254740993",
              "10000000000000001",
              "0.30000000000000004",
              "1.1000000000000001",
              "-2.2999999999999998",
              "1.2345678901234567E+18",
              "1E-7",
              "-1.50e3",
              "1.0",
              "007",
              ".5",
              "-0",
              "0E+9",
              "1e300",
            ]
              .map((number, at) => `<row r="${at + 2}"><c r="A${at + 2}"><v>${number}</v></c></row>`)
              .join("")}`,
          },
        ],
      }),
    read: {
      columns: ["n"],
      rows: [
        [2, "12345678901234567890"],
        [3, "0.1000000000000000055"],
        [4, "9007199254740993"],
        [5, "10000000000000001"],
        [6, "0.30000000000000004"],
        [7, "1.1"],
        [8, "-2.3"],
        [9, "1234567890123456700"],
        [10, "0.0000001"],
        [11, "-1500"],
        [12, "1"],
        [13, "7"],
        [14, "0.5"],
        [15, "0"],
        [16, "0"],
        [17, `1${"0".repeat(300)}`],
      ],
    },
  },
  {
    name: "references in lower case, missing or out of order; rows without numbers; a column beyond Z",
    format: "xlsx",
    bytes: () =>
      workbook({
        sheets: [
          {
            name: "S",
            data:
              `<row>${inline("b1", "y")}${inline("a1", "x")}<c t="inlineStr"><is><t>y2</t></is></c></row>` +
              '<row><c r="a3"><v>1</v></c><c><v>2</v></c></row><row r="5"><c r="AB5"/><c r="C5"><v>3</v></c></row>',
          },
        ],
      }),
    rejected: { code: "reader_mismatch", row: 1, words: /Row 1, column B: the sheet has two cells here/ },
  },
  {
    name: "references in lower case or missing, rows that only their cells number",
    format: "xlsx",
    bytes: () =>
      workbook({
        sheets: [
          {
            name: "S",
            data:
              `<row>${inline("b1", "y")}${inline("a1", "x")}</row>` +
              '<row><c r="a3"><v>1</v></c><c><v>2</v></c></row><row r="5"><c r="AB5"/><c r="B5"><v>3</v></c></row>',
          },
        ],
      }),
    read: {
      columns: ["x", "y"],
      rows: [
        [3, "1", "2"],
        [5, null, "3"],
      ],
    },
  },
  {
    name: "line ends, tabs, NUL and escapes in cells",
    format: "xlsx",
    options: { trim: "none" },
    bytes: () =>
      workbook({
        strings: text("a&#13;b") + text("a&#9;b&#10;c") + text("_x005F_x000D_") + text("a_x0000_b"),
        sheets: [
          {
            name: "S",
            data:
              `<row r="1">${inline("A1", "t")}</row><row r="2">${shared("A2", 0)}</row>` +
              `<row r="3">${shared("A3", 1)}</row><row r="4">${shared("A4", 2)}</row>` +
              '<row r="5"><c r="A5" t="str"><f>A1</f><v>x_x000D_y</v></c></row>',
          },
        ],
      }),
    read: {
      columns: ["t"],
      rows: [
        [2, "a\rb"],
        [3, "a\tb\nc"],
        [4, "_x000D_"],
        [5, "x\ry"],
      ],
    },
  },
  {
    name: "the strict form of the standard, a chart among the sheets, hidden columns, elements of other namespaces",
    format: "xlsx",
    bytes: () =>
      workbook({
        sheets: [
          {
            name: "data",
            data:
              '<?xml version="1.0" encoding="utf-8"?>' +
              '<worksheet xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main">' +
              '<cols><col min="2" max="2" hidden="1"/></cols><sheetData>' +
              `<row r="1">${inline("A1", "day")}${inline("B1", "v")}</row>` +
              '<row r="2" hidden="1"><c r="A2" t="d"><v>2026-01-02</v></c><c r="B2"><v>1</v></c></row></sheetData>' +
              '<extLst><ext><x14:row r="1"><x14:c r="A1"><x14:v>9</x14:v></x14:c></x14:row></ext></extLst></worksheet>',
          },
        ],
        parts: {
          "xl/_rels/workbook.xml.rels":
            '<Relationships><Relationship Id="rId1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/' +
            'worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://purl.oclc.org/ooxml/' +
            'officeDocument/relationships/chartsheet" Target="chartsheets/sheet1.xml"/></Relationships>',
          "xl/workbook.xml":
            '<workbook><sheets><sheet name="data" r:id="rId1"/><sheet name="chart" r:id="rId2"/></sheets></workbook>',
        },
      }),
    read: { columns: ["day", "v"], rows: [[2, "2026-01-02", "1"]] },
  },
  {
    name: "text in the place of another type's value",
    format: "xlsx",
    bytes: () =>
      workbook({
        sheets: [
          {
            name: "S",
            data:
              `<row r="1">${inline("A1", "a")}${inline("B1", "b")}</row>` +
              '<row r="2"><c r="A2" t="inlineStr"><v>x</v></c><c r="B2"><is><t>y</t></is></c></row>',
          },
        ],
      }),
    read: { columns: ["a", "b"], rows: [[2, "x", "y"]] },
  },
  {
    name: "formulas of every type without a stored value",
    format: "xlsx",
    bytes: () =>
      workbook({
        sheets: [
          {
            name: "S",
            data:
              `<row r="1">${inline("A1", "n")}${inline("B1", "t")}${inline("C1", "b")}${inline("D1", "k")}</row>` +
              '<row r="2"><c r="A2"><f>1+1</f></c><c r="B2" t="str"><f>"x"</f></c><c r="C2" t="b"><f>TRUE()</f></c>' +
              '<c r="D2"><v>1</v></c></row>',
          },
        ],
      }),
    read: { columns: ["n", "t", "b", "k"], rows: [[2, null, null, null, "1"]], rejected: 1 },
  },
];
