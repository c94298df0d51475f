import type { UglyFile } from "./ugly-file";
import { inline, shared, text, workbook } from "./workbook";

/** Workbooks that are ambiguous or cannot be read. */
export const BROKEN_WORKBOOKS: readonly UglyFile[] = [
  {
    name: "several sheets and none named",
    format: "xlsx",
    bytes: () =>
      workbook({
        sheets: [
          { name: "one", data: "" },
          { name: "two", data: "" },
        ],
      }),
    rejected: { code: "reader_mismatch", words: /"one", "two"/ },
  },
  {
    name: "one visible and one hidden sheet",
    format: "xlsx",
    bytes: () =>
      workbook({
        sheets: [
          { name: "lists", data: `<row r="1">${inline("A1", "x")}</row>`, state: "hidden" },
          { name: "data", data: `<row r="1">${inline("A1", "n")}</row><row r="2"><c r="A2"><v>5</v></c></row>` },
        ],
      }),
    read: { columns: ["n"], rows: [[2, "5"]] },
  },
  {
    name: "a missing shared string",
    format: "xlsx",
    bytes: () =>
      workbook({
        strings: text("n"),
        sheets: [{ name: "S", data: `<row r="1">${shared("A1", 0)}</row><row r="2">${shared("A2", 9)}</row>` }],
      }),
    rejected: { code: "reader_mismatch", row: 2, words: /shared string/ },
  },
  {
    name: "an entity that expands recursively",
    format: "xlsx",
    bytes: () =>
      workbook({
        sheets: [
          {
            name: "S",
            data:
              '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "xxxx"><!ENTITY c "&b;&b;&b;">]><worksheet>' +
              '<sheetData><row r="1"><c t="inlineStr"><is><t>&c;</t></is></c></row></sheetData></worksheet>',
          },
        ],
      }),
    rejected: { code: "reader_mismatch", words: /DOCTYPE/ },
  },
  {
    name: "XML that ends in the middle",
    format: "xlsx",
    bytes: () => workbook({ sheets: [{ name: "S", data: '<?xml version="1.0"?><worksheet><sheetData><row r="1">' }] }),
    rejected: { code: "reader_mismatch", words: /XML/ },
  },
  {
    name: "the old format of Excel",
    format: "xlsx",
    bytes: Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600)]),
    rejected: { code: "reader_mismatch", words: /\(xls\) or password-protected/ },
  },
  {
    name: "a zip that is not a workbook",
    format: "xlsx",
    bytes: () =>
      workbook({
        sheets: [],
        parts: { "xl/workbook.xml": null, mimetype: "application/vnd.oasis.opendocument.spreadsheet" },
      }),
    rejected: { code: "reader_mismatch", words: /xlsx/ },
  },
  ...(
    [
      ["a number that is none", "<v>1,5</v>", /column B: "1,5" is not a number/],
      ["a number in hexadecimal", "<v>0x10</v>", /"0x10" is not a number/],
      ["a number beyond every double", "<v>1e400</v>", /"1e400" is not a number/],
      ["a number smaller than every double", "<v>1e-400</v>", /"1e-400" is not a number/],
      ["a boolean that is none", "<v>2</v>", /"2" is not a boolean/, 'r="B2" t="b"'],
      ["an unknown type", "<v>2</v>", /"x" is not a type/, 'r="B2" t="x"'],
      ["an unpaired surrogate", "<is><t>a_xD83D_</t></is>", /column B: .*unpaired surrogate/, 'r="B2" t="inlineStr"'],
      ["a style that is not in the workbook", "<v>2</v>", /column B: style 7 is not/, 'r="B2" s="7"'],
      ["a cell of another row", "<v>2</v>", /Row 2 has a cell B3/, 'r="B3"'],
      ["a reference that is none", "<v>2</v>", /no cell "2B"/, 'r="2B"'],
      ["a column beyond XFD", "<v>2</v>", /no cell "XFE2"/, 'r="XFE2"'],
    ] as const
  ).map(
    ([name, value, words, attributes = 'r="B2"']): UglyFile => ({
      name,
      format: "xlsx",
      bytes: () =>
        workbook({
          sheets: [
            {
              name: "S",
              data:
                `<row r="1">${inline("A1", "a")}${inline("B1", "b")}</row>` +
                `<row r="2"><c ${attributes}>${value}</c></row>`,
            },
          ],
        }),
      rejected: { code: "reader_mismatch", row: 2, words },
    }),
  ),
  ...(
    [
      ["rows out of order", '<row r="2"/><row r="1"/>', 2, /row 1 after row 2/],
      ["a row beyond the last", '<row r="1"/><row r="1048577"/>', 1, /more than 1048576 rows/],
      ["rows without values", '<row r="1"/><row r="2"><c r="A2" s="1"/></row>', undefined, /sheet has no values/],
      ["nothing", "", undefined, /sheet has no values/],
    ] as const
  ).map(
    ([name, data, row, words]): UglyFile => ({
      name: `a sheet of ${name}`,
      format: "xlsx",
      bytes: () => workbook({ sheets: [{ name: "S", data }] }),
      rejected: { code: "reader_mismatch", ...(row && { row }), words },
    }),
  ),
  {
    name: "a sheet without values in the range",
    format: "xlsx",
    options: { range: "B2:C3" },
    bytes: () => workbook({ sheets: [{ name: "S", data: `<row r="1">${inline("A1", "a")}</row>` }] }),
    rejected: { code: "reader_mismatch", words: /no values in the range/ },
  },
  {
    name: "a wrong CRC of a part",
    format: "xlsx",
    bytes: async () => {
      const bytes = await workbook({
        sheets: [
          { name: "S", data: `<row r="1">${inline("A1", "a")}</row><row r="2"><c r="A2"><v>12345</v></c></row>` },
        ],
        stored: true,
      });
      bytes.write("12346", bytes.indexOf("12345"));
      return bytes;
    },
    rejected: { code: "archive_unsafe", words: /sheet1.xml" is damaged: its CRC-32 is wrong/ },
  },
  ...(
    [
      ["ISO-8859-1", '<?xml version="1.0" encoding="ISO-8859-1"?><worksheet/>', /encoding is ISO-8859-1/],
      ["bytes that are not UTF-8", Buffer.from('<?xml version="1.0"?><worksheet a="\xff"/>', "latin1"), /not UTF-8/],
      ["a tag without an end", `<?xml version="1.0"?><worksheet a="${"x".repeat(17 << 20)}"`, /more than 16 MiB/],
      ["elements without an end", `<?xml version="1.0"?>${"<a>".repeat(1001)}`, /nested more than 1000 deep/],
    ] as const
  ).map(
    ([name, xml, words]): UglyFile => ({
      name: `a sheet of ${name}`,
      format: "xlsx",
      bytes: () =>
        workbook({ sheets: [{ name: "S", data: "" }], parts: { "xl/worksheets/sheet1.xml": xml }, stored: true }),
      rejected: { code: /16 MiB/.test(words.source) ? "archive_unsafe" : "reader_mismatch", words },
    }),
  ),
  {
    name: "a cell that is longer than any of Excel's",
    format: "xlsx",
    bytes: () =>
      workbook({
        sheets: [
          { name: "S", data: `<row r="1">${inline("A1", "x<!-- -->".repeat(1 << 21) + "x".repeat(15 << 20))}</row>` },
        ],
      }),
    rejected: { code: "archive_unsafe", words: /longer than 16 MiB/ },
  },
  {
    name: "a workbook with a part twice",
    format: "xlsx",
    bytes: () => workbook({ sheets: [{ name: "S", data: "" }], parts: { "XL/worksheets/sheet1.xml": "<worksheet/>" } }),
    rejected: { code: "reader_mismatch", words: /two parts "xl\/worksheets\/sheet1.xml"/ },
  },
  {
    name: "a binary workbook",
    format: "xlsx",
    bytes: () => workbook({ sheets: [], parts: { "xl/workbook.xml": null, "xl/workbook.bin": "x" } }),
    rejected: { code: "reader_mismatch", words: /binary workbook \(xlsb\)/ },
  },
  {
    name: "an OpenDocument file",
    format: "xlsx",
    bytes: () =>
      workbook({ sheets: [], parts: { mimetype: "application/vnd.oasis.opendocument", "content.xml": "<x/>" } }),
    rejected: { code: "reader_mismatch", words: /OpenDocument/ },
  },
  {
    name: "a password-protected workbook",
    format: "xlsx",
    bytes: Buffer.concat([
      Buffer.from("d0cf11e0a1b11ae1", "hex"),
      Buffer.alloc(600),
      Buffer.from("EncryptedPackage", "utf16le"),
    ]),
    rejected: { code: "reader_mismatch", words: /password-protected workbook. Save it without/ },
  },
  {
    name: "a workbook in a compressed form that is not read",
    format: "xlsx",
    bytes: Buffer.from("Rar!\x1a\x07\x00", "latin1"),
    rejected: { code: "reader_mismatch", words: /rar archive/ },
  },
];
