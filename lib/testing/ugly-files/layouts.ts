import { lines, type UglyFile } from "./ugly-file";

/** Files with difficult headers, footers and records. */
export const LAYOUTS: readonly UglyFile[] = [
  {
    name: "a statistical office: title, two header rows with merged years, footnotes",
    format: "csv",
    options: {
      delimiter: ";",
      header: { rows: [4, 5], join: " | ", fill: "right", drop_text: " ?[¹²³]\\)" },
      stop_at: { blank_row: true },
      trim: "ends",
      null_tokens: ["", "—", "–", ".", "x"],
      ragged: "pad",
    },
    bytes: lines(
      "Statistisches Amt der Beispielregion;;;;;",
      "Arbeitslose nach Gemeinde;;;;;",
      ";;;;;",
      "Gemeinde;Kreis;2025;;2026;",
      ";;Männer;Frauen;Männer;Frauen ¹)",
      "Musterstadt;Nordkreis;1 234;1 101;1.250 p;1 090 p",
      "Beispielheim;;987;—;(12);.",
      "Probedorf;Südkreis;45;51",
      ";;;;;",
      "¹) einschließlich ohne Angabe",
      "Quelle: eigene Erhebung",
    ),
    read: {
      columns: ["Gemeinde", "Kreis", "2025 | Männer", "2025 | Frauen", "2026 | Männer", "2026 | Frauen"],
      rows: [
        [6, "Musterstadt", "Nordkreis", "1 234", "1 101", "1.250 p", "1 090 p"],
        [7, "Beispielheim", null, "987", null, "(12)", null],
        [8, "Probedorf", "Südkreis", "45", "51", null, null],
      ],
    },
  },
  {
    name: "a record with too few cells",
    format: "csv",
    bytes: lines("a,b,c", "1,2,3", "4,5"),
    rejected: { code: "reader_mismatch", row: 3, words: /2 of 3 cells/ },
  },
  {
    name: "a record with too many cells",
    format: "csv",
    bytes: lines("a,b", "1,2", "3,4,5"),
    rejected: { code: "reader_mismatch", row: 3, words: /3 cells.*2/ },
  },
  {
    name: "ragged records, padded and cut",
    format: "csv",
    options: { ragged: "pad_and_cut" },
    bytes: lines("a,b", "1", "2,3,4", "5,6,"),
    read: {
      columns: ["a", "b"],
      rows: [
        [2, "1", null],
        [3, "2", "3"],
        [4, "5", "6"],
      ],
      rejected: 1,
    },
  },
  {
    name: "a footer of a fixed length",
    format: "csv",
    options: { skip_footer: 2 },
    bytes: lines("a,b", "1,2", "Total,2", "Source: office"),
    read: { columns: ["a", "b"], rows: [[2, "1", "2"]] },
  },
  {
    name: "data that end at a mark",
    format: "csv",
    options: { stop_at: { column: 1, matches: "^(Source|Total)" } },
    bytes: lines("a,b", "1,2", "Total,2", "free text, with, commas"),
    read: { columns: ["a", "b"], rows: [[2, "1", "2"]] },
  },
  {
    name: "first and last row",
    format: "csv",
    options: { header: { rows: [1] }, first_row: 3, last_row: 4 },
    bytes: lines("a,b", "(kg),(m)", "1,2", "3,4", "5,6"),
    read: {
      columns: ["a", "b"],
      rows: [
        [3, "1", "2"],
        [4, "3", "4"],
      ],
    },
  },
  {
    name: "no header, names given, a column dropped",
    format: "csv",
    options: { header: "none", columns: ["id", null, "name"] },
    bytes: lines("1,x,Ada", "2,y,Bo"),
    read: {
      columns: ["id", "name"],
      rows: [
        [1, "1", "Ada"],
        [2, "2", "Bo"],
      ],
    },
  },
  {
    name: "duplicate names",
    format: "csv",
    bytes: lines("id,Value,value", "1,2,3"),
    rejected: { code: "header_mismatch", row: 1, words: /Value/ },
  },
  {
    name: "duplicate names, numbered",
    format: "csv",
    options: { duplicate_names: "number" },
    bytes: lines("id,Value,value,value_2", "1,2,3,4"),
    read: { columns: ["id", "Value", "value_3", "value_2"], rows: [[2, "1", "2", "3", "4"]] },
  },
  {
    name: "a column without a name",
    format: "csv",
    bytes: lines("id,,n", "1,2,3"),
    rejected: { code: "header_mismatch", row: 1, words: /column 2/i },
  },
  {
    name: "columns without names, numbered",
    format: "csv",
    options: { blank_names: "number" },
    bytes: lines(",b,", "1,2,3"),
    read: { columns: ["column_1", "b", "column_3"], rows: [[2, "1", "2", "3"]] },
  },
  {
    name: "the empty column caused by a delimiter at the end of each line",
    format: "csv",
    options: { blank_names: "drop_empty", delimiter: ";" },
    bytes: lines("a;b;", "1;2;", "3;4;"),
    read: {
      columns: ["a", "b"],
      rows: [
        [2, "1", "2"],
        [3, "3", "4"],
      ],
    },
  },
  {
    name: "a nameless column that is not empty after all",
    format: "csv",
    options: { blank_names: "drop_empty", delimiter: ";" },
    bytes: lines("a;b;", "1;2;", "3;4;x"),
    rejected: { code: "header_mismatch", row: 3, words: /column 3/i },
  },
  {
    name: "names with line ends and runs of blanks",
    format: "csv",
    bytes: Buffer.from('"Name of\n the  place", n\nx,1\n'),
    read: { columns: ["Name of the place", "n"], rows: [[3, "x", "1"]] },
  },
  {
    name: "names in snake case",
    format: "csv",
    options: { names: "snake" },
    bytes: lines("Größe (m²),Año,% Change,2025", "1,2,3,4"),
    read: { columns: ["grosse_m2", "ano", "change", "2025"], rows: [[2, "1", "2", "3", "4"]] },
  },
  {
    name: "blank lines between and at the end",
    format: "csv",
    bytes: lines("a,b", "", "1,2", "  ", ",", "3,4", "", ""),
    read: {
      columns: ["a", "b"],
      rows: [
        [3, "1", "2"],
        [6, "3", "4"],
      ],
    },
  },
  {
    name: "a missing header row",
    format: "csv",
    options: { header: { rows: [9] } },
    bytes: lines("a,b", "1,2"),
    rejected: { code: "header_mismatch", words: /row 9/i },
  },
  {
    name: "nothing at all",
    format: "csv",
    bytes: Buffer.alloc(0),
    rejected: { code: "reader_mismatch", words: /empty/i },
  },
  {
    name: "a page of a website instead of the file",
    format: "csv",
    bytes: lines("<!DOCTYPE html>", "<html><head><title>Sign in – Portal</title></head>", "<body>…</body></html>"),
    rejected: { code: "reader_mismatch", words: /Sign in – Portal/ },
  },
  {
    name: "only a header",
    format: "csv",
    bytes: lines("a,b"),
    read: { columns: ["a", "b"], rows: [] },
  },
];
