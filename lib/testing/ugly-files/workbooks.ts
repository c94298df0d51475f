import type { UglyFile } from "./ugly-file";
import { inline, shared, text, workbook } from "./workbook";

const styles = (formats: string, ids: readonly number[]) =>
  `<numFmts count="1">${formats}</numFmts><cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs>` +
  `<cellXfs count="${ids.length}">${ids.map((id) => `<xf numFmtId="${id}" fontId="0"/>`).join("")}</cellXfs>`;

/** Workbooks as written by programs and by hand. */
export const WORKBOOKS: readonly UglyFile[] = [
  {
    name: "LibreOffice: shared strings, own date formats, styled blanks, booleans",
    format: "xlsx",
    bytes: () =>
      workbook({
        strings: `${text("city")}${text("day")}${text("open")}<si><t xml:space="preserve"> Łódź </t></si>`,
        styles: styles('<numFmt numFmtId="165" formatCode="DD/MM/YYYY"/>', [164, 165, 0]),
        sheets: [
          {
            name: "Tabelle1",
            data:
              `<row r="1" customFormat="false" ht="12.8">` +
              `${shared("A1", 0)}${shared("B1", 1)}${shared("C1", 2)}<c r="D1" s="2"/></row>` +
              `<row r="2">${shared("A2", 3)}<c r="B2" s="1" t="n"><v>46387</v></c><c r="C2" t="b"><v>1</v></c>` +
              `<c r="D2" s="2"/></row>` +
              '<row r="3"><c r="A3" s="2"/><c r="B3" s="2"/><c r="C3" s="2"/></row>',
          },
        ],
      }),
    read: { columns: ["city", "day", "open"], rows: [[2, "Łódź", "2026-12-31", "true"]] },
  },
  {
    name: "openpyxl: timestamps, formulas without a stored value",
    format: "xlsx",
    bytes: () =>
      workbook({
        strings: `${text("at")}${text("n")}${text("sum")}`,
        styles: styles('<numFmt numFmtId="164" formatCode="yyyy-mm-dd h:mm:ss"/>', [0, 164]),
        sheets: [
          {
            name: "Sheet",
            data:
              `<row r="1">${shared("A1", 0)}${shared("B1", 1)}${shared("C1", 2)}</row>` +
              '<row r="2"><c r="A2" s="1" t="n"><v>46023.5208333333</v></c><c r="B2" t="n">' +
              '<v>0.30000000000000004</v></c><c r="C2"><f>B2*2</f><v/></c></row>' +
              '<row r="3"><c r="A3" s="1" t="n"><v>46023</v></c><c r="B3" t="n"><v>1e-07</v></c><c r="C3">' +
              "<f>B3*2</f><v>4</v></c></row>",
          },
        ],
      }),
    read: {
      columns: ["at", "n", "sum"],
      rows: [
        [2, "2026-01-01T12:30:00", "0.30000000000000004", null],
        [3, "2026-01-01T00:00:00", "0.0000001", "4"],
      ],
      rejected: 1,
    },
  },
  {
    name: "XlsxWriter in constant memory: inline strings, spans, times and durations",
    format: "xlsx",
    bytes: () =>
      workbook({
        styles: styles(
          '<numFmt numFmtId="164" formatCode="[h]:mm:ss"/><numFmt numFmtId="166" formatCode="&quot;day&quot; 0"/>',
          [0, 20, 164, 166, 22],
        ),
        sheets: [
          {
            name: "Sheet1",
            data:
              `<row r="1" spans="1:4">` +
              `${inline("A1", "at")}${inline("B1", "took")}${inline("C1", "nth")}${inline("D1", "when")}</row>` +
              '<row r="2" spans="1:4"><c r="A2" s="1"><v>0.5</v></c><c r="B2" s="2"><v>1.5</v></c>' +
              '<c r="C2" s="3"><v>7</v></c><c r="D2" s="4"><v>2.00001</v></c></row>',
          },
        ],
      }),
    read: {
      columns: ["at", "took", "nth", "when"],
      rows: [[2, "12:00:00", "36:00:00", "7", "1900-01-02T00:00:00.864"]],
    },
  },
  {
    name: "exceljs: rich text, phonetic readings, text results of formulas, line ends",
    format: "xlsx",
    bytes: () =>
      workbook({
        strings:
          '<si><r><rPr><b/></rPr><t>bold</t></r><r><t xml:space="preserve"> and plain</t></r></si>' +
          '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si>' +
          "<si><t>a_x000D_\nb _x005F_x0041_</t></si><si/>",
        sheets: [
          {
            name: "S",
            data:
              `<row r="1">${inline("A1", "t")}${inline("B1", "f")}</row>` +
              `<row r="2">${shared("A2", 0)}<c r="B2" t="str"><f>UPPER("x")</f><v>X</v></c></row>` +
              `<row r="3">${shared("A3", 1)}<c r="B3" t="str"><f>""</f><v></v></c></row>` +
              `<row r="4">${shared("A4", 2)}${shared("B4", 3)}</row>`,
          },
        ],
      }),
    read: {
      columns: ["t", "f"],
      rows: [
        [2, "bold and plain", "X"],
        [3, "東京", null],
        [4, "a\r\nb _x0041_", null],
      ],
    },
  },
  {
    name: "by hand: prefixes, no references, absolute targets, CDATA, entities, a byte order mark",
    format: "xlsx",
    bytes: () =>
      workbook({
        sheets: [
          {
            name: "A &amp; B",
            data:
              '<?xml version="1.0"?>' +
              '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
              '<x:dimension ref="A1:XFD1048576"/><x:sheetData>' +
              '<x:row><x:c t="inlineStr"><x:is><x:t>a&#10;b</x:t></x:is></x:c><x:c t="inlineStr"><x:is><x:t>' +
              "<![CDATA[<n>]]></x:t></x:is></x:c></x:row>" +
              "<x:row><x:c><x:v>1.50</x:v></x:c><x:c><x:v>12345678901234567</x:v></x:c></x:row></x:sheetData>" +
              "</x:worksheet>",
          },
        ],
        parts: {
          "xl/_rels/workbook.xml.rels":
            '\ufeff<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
            '<Relationship Id="rId1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/worksheet" ' +
            'Target="/xl/worksheets/sheet1.xml"/></Relationships>',
        },
        stored: true,
      }),
    read: { columns: ["a b", "<n>"], rows: [[2, "1.5", "12345678901234567"]] },
  },
  {
    name: "the date system of 1904, and dates as ISO 8601",
    format: "xlsx",
    bytes: () =>
      workbook({
        workbookPr: '<workbookPr date1904="1"/>',
        styles: styles("", [0, 14]),
        sheets: [
          {
            name: "S",
            data:
              `<row r="1">${inline("A1", "d")}${inline("B1", "e")}</row>` +
              '<row r="2"><c r="A2" s="1"><v>44561</v></c><c r="B2" s="1" t="d"><v>2026-01-01T00:00:00</v></c></row>',
          },
        ],
      }),
    read: { columns: ["d", "e"], rows: [[2, "2026-01-01", "2026-01-01"]] },
  },
  {
    name: "the days around the non-existent leap day of 1900",
    format: "xlsx",
    bytes: () =>
      workbook({
        styles: styles("", [0, 14]),
        sheets: [
          {
            name: "S",
            data:
              `<row r="1">${inline("A1", "d")}</row>` +
              `${[1, 59, 60, 61]
                .map((serial, at) => `<row r="${at + 2}"><c r="A${at + 2}" s="1"><v>${serial}</v></c></row>`)
                .join("")}`,
          },
        ],
      }),
    read: {
      columns: ["d"],
      rows: [
        [2, "1900-01-01"],
        [3, "1900-02-28"],
        [4, "1900-02-29"],
        [5, "1900-03-01"],
      ],
    },
  },
  {
    name: "merged header cells, a hidden row, error cells",
    format: "xlsx",
    options: { header: { rows: [2, 3], fill: "right", join: " " } },
    bytes: () =>
      workbook({
        sheets: [
          {
            name: "S",
            data:
              `<row r="1">${inline("A1", "Title of the table")}</row>` +
              `<row r="2">${inline("A2", "city")}${inline("B2", "2025")}<c r="C2"/></row>` +
              `<row r="3"><c r="A3"/>${inline("B3", "men")}${inline("C3", "women")}</row>` +
              `<row r="4" hidden="1">${inline("A4", "Ada")}<c r="B4"><v>1</v></c><c r="C4" t="e"><v>#N/A</v></c></row>`,
          },
        ],
      }),
    read: { columns: ["city", "2025 men", "2025 women"], rows: [[4, "Ada", "1", null]], rejected: 1 },
  },
  {
    name: "one of several sheets, by its name; omitted rows keep their numbers",
    format: "xlsx",
    options: { sheet: "data", header: { rows: [3] } },
    bytes: () =>
      workbook({
        sheets: [
          { name: "notes", data: `<row r="1">${inline("A1", "x")}</row>` },
          {
            name: "data",
            data: `<row r="3">${inline("B3", "n")}${inline("C3", "m")}</row><row r="7"><c r="C7"><v>-0.5</v></c></row>`,
          },
        ],
      }),
    rejected: { code: "header_mismatch", row: 3, words: /column 1/i },
  },
  {
    name: "a range of a sheet",
    format: "xlsx",
    options: { sheet: { matches: "^da" }, range: "B3:C9", header: { rows: [3] } },
    bytes: () =>
      workbook({
        sheets: [
          { name: "notes", data: "" },
          {
            name: "data",
            data:
              `<row r="1">${inline("A1", "title")}</row><row r="3">` +
              `${inline("A3", "x")}${inline("B3", "n")}${inline("C3", "m")}${inline("D3", "z")}</row>` +
              `<row r="7"><c r="C7"><v>-0.5</v></c></row><row r="9"><c r="B9"><v>3</v></c></row><row r="10">` +
              `<c r="B10"><v>4</v></c></row>`,
          },
        ],
      }),
    read: {
      columns: ["n", "m"],
      rows: [
        [7, null, "-0.5"],
        [9, "3", null],
      ],
    },
  },
];
