import { bytes, lines, type UglyFile } from "./ugly-file";

const CITY = { columns: ["city", "n"] } as const;

/** Files with difficult bytes, which are written out so that no decoder is tested against itself. */
export const ENCODINGS: readonly UglyFile[] = [
  {
    name: "UTF-8 with a byte order mark",
    format: "csv",
    bytes: Buffer.concat([bytes(0xef, 0xbb, 0xbf), lines("city,n", "Łódź,1")]),
    read: { ...CITY, rows: [[2, "Łódź", "1"]] },
  },
  {
    name: "UTF-16, little end first, with its mark",
    format: "csv",
    options: { encoding: "utf-16le", delimiter: "\t" },
    bytes: Buffer.concat([bytes(0xff, 0xfe), Buffer.from("city\tn\r\nZürich\t1\r\n😀\t2\r\n", "utf16le")]),
    read: {
      ...CITY,
      rows: [
        [2, "Zürich", "1"],
        [3, "😀", "2"],
      ],
    },
  },
  {
    name: "UTF-16, big end first, without a mark",
    format: "csv",
    options: { encoding: "utf-16be" },
    bytes: Buffer.from("city,n\nKöln,1\n", "utf16le").swap16(),
    read: { ...CITY, rows: [[2, "Köln", "1"]] },
  },
  {
    name: "a UTF-16 mark where UTF-8 is declared",
    format: "csv",
    bytes: Buffer.concat([bytes(0xff, 0xfe), Buffer.from("city,n\n", "utf16le")]),
    rejected: { code: "encoding_invalid", words: /utf-16le/ },
  },
  {
    name: "a UTF-8 mark where windows-1252 is declared",
    format: "csv",
    options: { encoding: "windows-1252" },
    bytes: Buffer.concat([bytes(0xef, 0xbb, 0xbf), lines("city,n")]),
    rejected: { code: "encoding_invalid", words: /utf-8/ },
  },
  {
    name: "windows-1252: quotation marks, euro and an unused byte's neighbour",
    format: "csv",
    options: { encoding: "windows-1252", delimiter: ";" },
    bytes: bytes("city;n\r\nM", 0xfc, "nchen ", 0x84, "A", 0x93, ";5 ", 0x80, "\r\n", 0x9f, "x;", 0xbd, "\r\n"),
    read: {
      ...CITY,
      rows: [
        [2, "München „A“", "5 €"],
        [3, "Ÿx", "½"],
      ],
    },
  },
  {
    name: "windows-1252 with a byte that is not assigned",
    format: "csv",
    options: { encoding: "windows-1252" },
    bytes: bytes("city,n\nA,1\nB", 0x81, ",2\n"),
    rejected: { code: "encoding_invalid", row: 3, words: /windows-1252/ },
  },
  {
    name: "windows-1252 read as UTF-8",
    format: "csv",
    bytes: bytes("city,n\nA,1\nM", 0xfc, "nchen,2\n"),
    rejected: { code: "encoding_invalid", row: 3, words: /utf-8/ },
  },
  {
    name: "bad bytes that are replaced, and counted",
    format: "csv",
    options: { bad_bytes: "replace" },
    bytes: bytes("city,n\nM", 0xfc, "nchen,2\n"),
    read: { ...CITY, rows: [[2, "M\ufffdnchen", "2"]], rejected: 1 },
  },
  {
    name: "a replacement character in the file itself is not a bad byte",
    format: "csv",
    bytes: lines("city,n", "M\ufffdnchen,2"),
    read: { ...CITY, rows: [[2, "M\ufffdnchen", "2"]] },
  },
  {
    name: "windows-1250, of Poland",
    format: "csv",
    options: { encoding: "windows-1250" },
    bytes: bytes("city,n\n", 0xa3, 0xf3, "d", 0x9f, ",1\n"),
    read: { ...CITY, rows: [[2, "Łódź", "1"]] },
  },
  {
    name: "windows-1251, of Bulgaria",
    format: "csv",
    options: { encoding: "windows-1251" },
    bytes: bytes("city,n\n", 0xd1, 0xee, 0xf4, 0xe8, 0xff, ",1\n"),
    read: { ...CITY, rows: [[2, "София", "1"]] },
  },
  {
    name: "cp850, of an old DOS program",
    format: "csv",
    options: { encoding: "cp850", delimiter: ";" },
    bytes: bytes("city;n\r\nD", 0x81, "sseldorf;", 0x9c, "1\r\n"),
    read: { ...CITY, rows: [[2, "Düsseldorf", "£1"]] },
  },
  {
    name: "cp437",
    format: "csv",
    options: { encoding: "cp437" },
    bytes: bytes("city,n\nD", 0x81, "sseldorf,", 0x9b, "1\n"),
    read: { ...CITY, rows: [[2, "Düsseldorf", "¢1"]] },
  },
  {
    name: "macintosh",
    format: "csv",
    options: { encoding: "macintosh" },
    bytes: bytes("city,n\rM", 0x9f, "nchen,1\r"),
    read: { ...CITY, rows: [[2, "München", "1"]] },
  },
  {
    name: "Shift_JIS, whose second bytes look like ASCII",
    format: "csv",
    options: { encoding: "shift_jis" },
    bytes: bytes("city,n\n", 0x95, 0x5c, 0x8e, 0xa6, ",1\n"),
    read: { ...CITY, rows: [[2, "表示", "1"]] },
  },
  {
    name: "GB18030, four bytes a character",
    format: "csv",
    options: { encoding: "gb18030" },
    bytes: bytes("city,n\n", 0xb1, 0xb1, 0xbe, 0xa9, 0x81, 0x30, 0x81, 0x30, ",1\n"),
    read: { ...CITY, rows: [[2, "北京\u0080", "1"]] },
  },
  {
    name: "iso-8859-15, of a French office",
    format: "csv",
    options: { encoding: "iso-8859-15", delimiter: ";" },
    bytes: bytes("city;n\nB", 0xbd, "uf;", 0xa4, "\n"),
    read: { ...CITY, rows: [[2, "Bœuf", "€"]] },
  },
  {
    name: "a character that is cut off at the end",
    format: "csv",
    bytes: bytes("city,n\nA,1\nB,", 0xc3),
    rejected: { code: "encoding_invalid", row: 3, words: /utf-8/ },
  },
  {
    name: "NUL bytes in text",
    format: "csv",
    bytes: bytes("city,n\nA,1\nB", 0, ",2\n"),
    rejected: { code: "encoding_invalid", row: 3, words: /NUL/ },
  },
];
