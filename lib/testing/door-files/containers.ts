import { gzipSync, zstdCompressSync } from "node:zlib";
import { type Member, tarOf, zipOf } from "./archives";
import {
  asked,
  both,
  type DoorFile,
  type Expected,
  lines,
  NOT_PUBLISHED,
  number,
  read,
  refused,
  text,
} from "./door-file";

const ROWS = Array.from({ length: 40 }, (_, at) => `${at}`);
const CSV = lines("id,name", ...ROWS.map((row) => `${row},name ${row}`));
const TABLE = read([number("id", ...ROWS), text("name", ...ROWS.map((row) => `name ${row}`))]);
const NDJSON = lines(...ROWS.map((row) => `{"id":${row},"name":"name ${row}"}`));
const DAMAGED = refused(/gzip|decompress|unpack|checksum|crc|truncated|after|damaged/i);

const gzip = (name: string, bytes: Buffer, ...expected: Expected[]): DoorFile => ({
  name,
  file: "t.csv.gz",
  bytes,
  ...both(...expected),
});

function wrongAt(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  const index = at < 0 ? bytes.length + at : at;
  copy[index] = (copy[index] ?? 0) ^ 0xff;
  return copy;
}

const PACKED = gzipSync(CSV);

const GZIPS: readonly DoorFile[] = [
  gzip("a gzip file", PACKED, TABLE),
  gzip(
    "a gzip file of two members",
    Buffer.concat([gzipSync(CSV.subarray(0, 100)), gzipSync(CSV.subarray(100))]),
    TABLE,
  ),
  gzip("a gzip file with an empty member at the end", Buffer.concat([PACKED, gzipSync("")]), TABLE),
  gzip("a gzip file followed by words", Buffer.concat([PACKED, Buffer.from("garbage trailing")]), DAMAGED, TABLE),
  gzip("a gzip file followed by one byte", Buffer.concat([PACKED, Buffer.from("x")]), DAMAGED, TABLE),
  gzip("a gzip file followed by a newline", Buffer.concat([PACKED, Buffer.from("\n")]), DAMAGED, TABLE),
  gzip("a gzip file padded with NUL bytes", Buffer.concat([PACKED, Buffer.alloc(512)]), TABLE, DAMAGED),
  gzip("a gzip file with a wrong checksum", wrongAt(PACKED, -8), DAMAGED),
  gzip("a gzip file with a wrong length", wrongAt(PACKED, -4), DAMAGED),
  gzip("a gzip file that is cut in its trailer", PACKED.subarray(0, -6), DAMAGED),
  gzip("a gzip file that is cut in the middle", PACKED.subarray(0, 80), DAMAGED),
  gzip("a gzip file that is cut in its header", PACKED.subarray(0, 6), DAMAGED, refused(/empty/i)),
  gzip("a gzip file with a damaged block", wrongAt(PACKED, 60), DAMAGED, refused(/utf-8|quote|line|row/i)),
  gzip("a gzip file of nothing", gzipSync(""), refused(/empty/i)),
  gzip("a plain file named gz", CSV, TABLE, refused(/gzip/i)),
  { name: "a gzip file named csv", file: "t.csv", bytes: PACKED, ...both(TABLE) },
  { name: "lines of JSON in a gzip file", file: "t.ndjson.gz", bytes: gzipSync(NDJSON), ...both(TABLE) },
  { name: "lines of JSON, plain, named gz", file: "t.ndjson.gz", bytes: NDJSON, ...both(TABLE, refused(/gzip/i)) },
  {
    name: "a gzip file within a gzip file",
    file: "t.csv.gz",
    bytes: gzipSync(PACKED),
    ...both(TABLE, refused(/gzip|compressed|twice|UTF-8|NUL|packed/i)),
  },
];

const FRAME = zstdCompressSync(CSV);

const ZSTDS: readonly DoorFile[] = [
  { name: "a zstd file", file: "t.csv.zst", bytes: FRAME, ...both(TABLE) },
  {
    name: "a zstd file of two frames",
    file: "t.csv.zst",
    bytes: Buffer.concat([zstdCompressSync(CSV.subarray(0, 100)), zstdCompressSync(CSV.subarray(100))]),
    ...both(TABLE),
  },
  {
    name: "a zstd file that is cut",
    file: "t.csv.zst",
    bytes: FRAME.subarray(0, FRAME.length - 10),
    ...both(refused(/zstd|decompress|unpack|truncated|damaged|cut|unexpected/i)),
  },
  {
    name: "a zstd file that is cut, named csv",
    file: "t.csv",
    bytes: FRAME.subarray(0, 20),
    ...both(refused(/zstd|decompress|unpack|truncated|damaged|cut|empty|unexpected/i)),
  },
];

const OTHERS: readonly DoorFile[] = [
  {
    name: "bzip2",
    file: "t.csv.bz2",
    bytes: Buffer.from("QlpoOTFBWSZTWZvmFdoAAAbZAAAQAARgADYjIAAxANNNBAMQIEFFl0b17fi7kinChITfMK7Q", "base64"),
    publish: [refused(/format|bz2|bzip2/i)],
    recipe: [refused(/bz2|bzip2/i)],
  },
  {
    name: "xz",
    file: "t.csv.xz",
    bytes: Buffer.concat([Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x04]), Buffer.alloc(60, 0xa5)]),
    publish: [refused(/format|xz/i)],
    recipe: [refused(/xz/i)],
  },
  {
    name: "7z",
    file: "t.7z",
    bytes: Buffer.concat([Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0x00, 0x04]), Buffer.alloc(60, 0x5a)]),
    publish: [refused(/format|7z/i)],
    recipe: [refused(/7z/i)],
  },
  {
    name: "bzip2 named csv",
    file: "t.csv",
    bytes: Buffer.concat([
      Buffer.from("BZh91AY&SY"),
      Buffer.from([0xa5, 0xfe, 0xe6, 0xea, 0, 0x0f, 0x34, 0xd9, 0, 0, 0x10, 0]),
    ]),
    publish: [refused(/bz|UTF-8|NUL|compress/i)],
    recipe: [refused(/bz2|bzip2|compress|NUL/i)],
  },
  ...["levels.json", "levels.js", "levels.csv"].map((file) => ({
    name: `a script that calls a function with JSON, named ${file}`,
    file,
    bytes: lines('levels.show([{"a":1},', '{"a":2}]);'),
    publish: [refused(/json|format|extension/i)],
    recipe: [refused(/JSONP/)],
  })),
  {
    name: "a web page named csv",
    file: "t.csv",
    bytes: lines("<!DOCTYPE html>", "<html><head><title>Sign in</title></head><body>x</body></html>"),
    publish: [refused(/web page|html/i), refused(/line|name/i)],
    recipe: [refused(/web page|html/i)],
  },
  {
    name: "an error in XML named csv",
    file: "t.csv",
    bytes: lines('<?xml version="1.0"?>', "<Error><Code>AccessDenied</Code></Error>"),
    publish: [
      refused(/xml|AccessDenied/i),
      read([text('<?xml version="1.0"?>', "<Error><Code>AccessDenied</Code></Error>")]),
    ],
    recipe: [refused(/xml|AccessDenied/i), asked(/xml/i)],
  },
  {
    name: "a PDF named csv",
    file: "t.csv",
    bytes: Buffer.concat([
      Buffer.from("%PDF-1.7\n%"),
      Buffer.from([0xe2, 0xe3, 0xcf, 0xd3, 0x0a]),
      Buffer.from("1 0 obj\n<<>>\nendobj\n%%EOF\n"),
    ]),
    publish: [refused(/PDF|UTF-8|NUL/i)],
    recipe: [refused(/PDF/i), asked(/PDF|encoding/i)],
  },
];

const archive = (name: string, members: readonly Member[], ...recipe: Expected[]): DoorFile => ({
  name,
  file: "t.zip",
  bytes: zipOf(members),
  publish: NOT_PUBLISHED,
  recipe,
});

const CSV_MEMBER = { name: "data.csv", data: CSV };

const ZIPS: readonly DoorFile[] = [
  archive("a zip of one table", [CSV_MEMBER], TABLE),
  archive("a zip of one stored table", [{ ...CSV_MEMBER, isStored: true }], TABLE),
  archive(
    "a zip of a table and words about it",
    [{ name: "readme.md", data: Buffer.from("# Read me") }, CSV_MEMBER],
    TABLE,
  ),
  archive(
    "a zip of a table in a folder",
    [
      { name: "2026/", data: Buffer.alloc(0), isStored: true },
      { ...CSV_MEMBER, name: "2026/data.csv" },
    ],
    TABLE,
  ),
  archive(
    "a zip whose member's checksum is wrong",
    [{ ...CSV_MEMBER, crc: 0x12345678 }],
    refused(/crc|checksum/i, /data\.csv/),
  ),
  archive(
    "a zip whose stored member's checksum is wrong",
    [{ ...CSV_MEMBER, isStored: true, crc: 1 }],
    refused(/crc|checksum/i, /data\.csv/),
  ),
  archive(
    "a zip whose second member's checksum is wrong",
    [
      { name: "a.txt.md", data: Buffer.from("x") },
      { ...CSV_MEMBER, crc: 7 },
    ],
    refused(/crc|checksum/i, /data\.csv/),
  ),
  archive(
    "a zip of lines whose checksum is wrong",
    [{ name: "d.ndjson", data: NDJSON, crc: 99 }],
    refused(/crc|checksum/i, /d\.ndjson/),
  ),
  archive(
    "a zip whose member states a wrong size",
    [{ ...CSV_MEMBER, size: 10 }],
    refused(/size|bytes|large|damaged/i, /data\.csv/),
  ),
  archive(
    "a zip with backslashes in names",
    [{ ...CSV_MEMBER, name: "d\\data.csv" }],
    TABLE,
    refused(/backslash|\\\\/i),
  ),
  archive(
    "a zip with folders of macOS",
    [
      CSV_MEMBER,
      { name: "__MACOSX/._data.csv", data: Buffer.from("\x00\x05\x16\x07") },
      { name: ".DS_Store", data: Buffer.from("x") },
    ],
    TABLE,
  ),
  archive(
    "a zip whose folders of macOS come first",
    [
      { name: "__MACOSX/", data: Buffer.alloc(0), isStored: true },
      { name: "__MACOSX/._d.csv", data: Buffer.from("\x00\x05\x16\x07") },
      { ...CSV_MEMBER, name: "d.csv" },
    ],
    TABLE,
  ),
  archive(
    "a zip with a hidden copy of the table's name",
    [CSV_MEMBER, { name: "._data.csv", data: Buffer.from("\x00\x05\x16\x07") }],
    TABLE,
  ),
  archive(
    "a zip of two tables",
    [CSV_MEMBER, { name: "other.csv", data: CSV }],
    asked(/member|zip/i),
    refused(/member/i),
  ),
  archive(
    "a zip without a table",
    [{ name: "readme.md", data: Buffer.from("# Read me") }],
    refused(/member|table|data/i),
  ),
  archive("a zip without members", [], refused(/empty|member|zip/i)),
  archive("a zip whose member is encrypted", [{ ...CSV_MEMBER, flags: 0x801 }], refused(/encrypt|password/i)),
  archive(
    "a zip packed with bzip2",
    [{ ...CSV_MEMBER, method: 12, isStored: true }],
    refused(/method|bzip2|compress/i),
  ),
  archive(
    "a zip whose name leaves its folder",
    [{ ...CSV_MEMBER, name: "../data.csv" }],
    refused(/name|path|\.\./i),
    TABLE,
  ),
  {
    name: "a zip that is cut",
    file: "t.zip",
    bytes: zipOf([CSV_MEMBER]).subarray(0, 200),
    publish: NOT_PUBLISHED,
    recipe: [refused(/cut|truncated|end|damaged|directory|zip/i)],
  },
  {
    name: "a zip with a damaged member",
    file: "t.zip",
    bytes: wrongAt(zipOf([CSV_MEMBER]), 60),
    publish: NOT_PUBLISHED,
    recipe: [refused(/data\.csv/)],
  },
  {
    name: "a table named zip",
    file: "t.zip",
    bytes: CSV,
    publish: NOT_PUBLISHED,
    recipe: [TABLE],
  },
];

const TARS: readonly DoorFile[] = [
  { name: "a tar of one table", file: "t.tar", bytes: tarOf([CSV_MEMBER]), publish: NOT_PUBLISHED, recipe: [TABLE] },
  {
    name: "a tar.gz of one table",
    file: "t.tar.gz",
    bytes: gzipSync(tarOf([CSV_MEMBER])),
    publish: NOT_PUBLISHED,
    recipe: [TABLE],
  },
  {
    name: "a tar.gz with files of macOS",
    file: "t.tar.gz",
    bytes: gzipSync(tarOf([{ name: "._data.csv", data: Buffer.from("\x00\x05\x16\x07") }, CSV_MEMBER])),
    publish: NOT_PUBLISHED,
    recipe: [TABLE],
  },
  {
    name: "a tar that is cut",
    file: "t.tar",
    bytes: tarOf([CSV_MEMBER]).subarray(0, 700),
    publish: NOT_PUBLISHED,
    recipe: [refused(/tar|cut|truncated|ends/i)],
  },
];

/** Files within files. */
export const CONTAINER_FILES: readonly DoorFile[] = [...GZIPS, ...ZSTDS, ...OTHERS, ...ZIPS, ...TARS];
