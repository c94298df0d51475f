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
];
