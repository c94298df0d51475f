import { lines, type UglyFile } from "./ugly-file";

/** Files whose delimiters, quotes and line ends are the trouble. */
export const DIALECTS: readonly UglyFile[] = [
  {
    name: "quotes with delimiters, quotes and line ends in them",
    format: "csv",
    bytes: Buffer.from('a,b\r\n"x, ""y""","1\r\n2"\r\nz,3\r\n'),
    read: {
      columns: ["a", "b"],
      rows: [
        [2, 'x, "y"', "1\r\n2"],
        [4, "z", "3"],
      ],
    },
  },
  {
    name: "single quotes as quotes",
    format: "csv",
    options: { quote: "'", delimiter: ";" },
    bytes: lines("a;b", "'it''s; so';\"1\""),
    read: { columns: ["a", "b"], rows: [[2, "it's; so", '"1"']] },
  },
  {
    name: "quotes escaped by a backslash",
    format: "csv",
    options: { escape: "backslash" },
    bytes: lines("a,b", String.raw`"say \"hi\" \\ , ok",2`),
    read: { columns: ["a", "b"], rows: [[2, String.raw`say "hi" \ , ok`, "2"]] },
  },
  {
    name: "no quotes at all: inches are kept",
    format: "tsv",
    options: { quote: "none" },
    bytes: lines("size\tn", '3"\t1', '"5\t2'),
    read: {
      columns: ["size", "n"],
      rows: [
        [2, '3"', "1"],
        [3, '"5', "2"],
      ],
    },
  },
  {
    name: "a quote inside a plain cell",
    format: "csv",
    bytes: lines("size,n", "a,1", '3" pipe,2'),
    rejected: { code: "reader_mismatch", row: 3, words: /quote/ },
  },
  {
    name: "a quote inside a plain cell, taken literally",
    format: "csv",
    options: { bad_quotes: "literal" },
    bytes: lines("size,n", '3" pipe,2', '"a"b,3', '"c, d",4'),
    read: {
      columns: ["size", "n"],
      rows: [
        [2, '3" pipe', "2"],
        [3, '"a"b', "3"],
        [4, "c, d", "4"],
      ],
    },
  },
  {
    name: "text after a closing quote",
    format: "csv",
    bytes: lines("a,b", '"x"y,1'),
    rejected: { code: "reader_mismatch", row: 2, words: /quote/ },
  },
  {
    name: "a quote that is never closed",
    format: "csv",
    bytes: lines("a,b", "x,1", '"y,2', "z,3"),
    rejected: { code: "reader_mismatch", row: 3, words: /never closed/ },
  },
  {
    name: "comment lines, one of them with quotes",
    format: "csv",
    options: { comment: "#", header: { rows: [2] } },
    bytes: lines('# made by "x', "a,b", "# between", "1,2", "3,#4"),
    read: {
      columns: ["a", "b"],
      rows: [
        [4, "1", "2"],
        [5, "3", "#4"],
      ],
    },
  },
  {
    name: "mixed line ends, declared",
    format: "csv",
    options: { line_ends: "mixed" },
    bytes: Buffer.from("a,b\r\n1,2\n3,4\r5,6"),
    read: {
      columns: ["a", "b"],
      rows: [
        [2, "1", "2"],
        [3, "3", "4"],
        [4, "5", "6"],
      ],
    },
  },
  {
    name: "mixed line ends, undeclared",
    format: "csv",
    bytes: Buffer.from("a,b\r\n1,2\r\n3,4\n5,6\r\n"),
    rejected: { code: "reader_mismatch", row: 3, words: /LF.*CRLF/ },
  },
  {
    name: "the last line without an end, and with an empty cell",
    format: "csv",
    bytes: Buffer.from("a,b\n1,2\n3,"),
    read: {
      columns: ["a", "b"],
      rows: [
        [2, "1", "2"],
        [3, "3", null],
      ],
    },
  },
  {
    name: "an empty cell is null, an empty quoted one is an empty string",
    format: "csv",
    bytes: lines("a,b,c", ',"",x'),
    read: { columns: ["a", "b", "c"], rows: [[2, null, "", "x"]] },
  },
  {
    name: "empty quoted cells declared null",
    format: "csv",
    options: { empty_quoted: "null" },
    bytes: lines("a,b,c", ',"",x'),
    read: { columns: ["a", "b", "c"], rows: [[2, null, null, "x"]] },
  },
  {
    name: "blanks around cells are kept unless trimmed",
    format: "csv",
    bytes: lines("a,b", " x , y"),
    read: { columns: ["a", "b"], rows: [[2, " x ", " y"]] },
  },
  {
    name: "five notations of numbers are strings",
    format: "csv",
    options: { delimiter: ";" },
    bytes: lines("us;de;fr;ch;in", "1,234.5;1.234,5;1 234,5;1'234.5;1,23,456.5", "(12);-0,5;12 %;5-;+5"),
    read: {
      columns: ["us", "de", "fr", "ch", "in"],
      rows: [
        [2, "1,234.5", "1.234,5", "1 234,5", "1'234.5", "1,23,456.5"],
        [3, "(12)", "-0,5", "12 %", "5-", "+5"],
      ],
    },
  },
  {
    name: "dates of six countries are strings",
    format: "csv",
    options: { delimiter: "|" },
    bytes: lines("de|us|fr|se|jp|hu", "31.12.2026|12/31/2026|31/12/2026|2026-12-31|2026年12月31日|2026. 12. 31."),
    read: {
      columns: ["de", "us", "fr", "se", "jp", "hu"],
      rows: [[2, "31.12.2026", "12/31/2026", "31/12/2026", "2026-12-31", "2026年12月31日", "2026. 12. 31."]],
    },
  },
  {
    name: "null tokens, spelt exactly, quoted or not",
    format: "csv",
    options: { null_tokens: ["", "NA", "—"], trim: "ends" },
    bytes: lines("a,b,c", "NA, — ,na", '"NA",,n/a'),
    read: {
      columns: ["a", "b", "c"],
      rows: [
        [2, null, null, "na"],
        [3, null, null, "n/a"],
      ],
    },
  },
];
