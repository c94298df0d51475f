import { Readable } from "node:stream";
import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import { ZipFile } from "yazl";
import { tar } from "@/lib/kernel/tar";
import { zipped } from "./workbook";

/** A compressed file or an archive, and what every door makes of it. */
export interface PackedFile {
  name: string;
  /** The file's own name; `data.csv` by default. */
  file?: string;
  bytes: Buffer | (() => Promise<Buffer>);
  /** What a recipe chooses; by default nothing. */
  archive?: { member: string; expect?: "one" | "many" };
  /** The content of the files, one after the other. */
  content?: string;
  /** How runs refuse it; inspections and publishing do so too, if they have to read it to its end. */
  refused?: { code: string; words: RegExp };
  /** How publishing refuses it, if runs do not, or in other words. */
  unpublished?: RegExp;
  /** The member that an inspection chooses without being asked; null if it asks. */
  chosen?: string | null;
}

const TEXT = "a,b\n1,x\n2,y\n";
const GZIP = gzipSync(TEXT);
const ZSTD = zstdCompressSync(TEXT, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
const NULS = Buffer.alloc(1024);

const unsafe = (words: RegExp) => ({ code: "archive_unsafe", words });
const joined = (...parts: (Buffer | string)[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));

/** The bytes with one of them changed, counted from the end if negative. */
function changed(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  const index = at < 0 ? bytes.length + at : at;
  copy[index] = (copy[index] ?? 0) ^ 1;
  return copy;
}

export const COMPRESSED: readonly PackedFile[] = [
  { name: "gzip", bytes: GZIP, content: TEXT },
  {
    name: "gzip of several members, one of them empty",
    bytes: joined(gzipSync("a,b\n"), gzipSync(""), gzipSync("1,x\n2,y\n")),
    content: TEXT,
  },
  { name: "gzip with padding after its end", bytes: joined(GZIP, NULS), content: TEXT },
  { name: "gzip with garbage after its end", bytes: joined(GZIP, "more"), refused: unsafe(/gzip .*followed by other/) },
  { name: "gzip with garbage after padding", bytes: joined(GZIP, NULS, "m"), refused: unsafe(/followed by other/) },
  { name: "gzip with a wrong CRC", bytes: changed(GZIP, -8), refused: unsafe(/CRC-32 is wrong/) },
  { name: "gzip with a wrong length", bytes: changed(GZIP, -4), refused: unsafe(/length that it states/) },
  { name: "gzip cut in its header", bytes: GZIP.subarray(0, 8), refused: unsafe(/cut short/) },
  { name: "gzip cut in its data", bytes: GZIP.subarray(0, 20), refused: unsafe(/cut short/) },
  { name: "gzip cut in its end", bytes: GZIP.subarray(0, -1), refused: unsafe(/cut short/) },
  { name: "gzip cut in its second member", bytes: joined(GZIP, GZIP.subarray(0, 15)), refused: unsafe(/cut short/) },
  { name: "zstd", bytes: ZSTD, content: TEXT },
  {
    name: "zstd of several frames, some of them skippable, one empty, one without checksum",
    bytes: joined(
      Buffer.from([0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 1]),
      zstdCompressSync("a,b\n"),
      Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]),
      zstdCompressSync(""),
      zstdCompressSync("1,x\n2,y\n"),
    ),
    content: TEXT,
  },
  { name: "zstd with padding after its end", bytes: joined(ZSTD, NULS), content: TEXT },
  { name: "zstd with garbage after its end", bytes: joined(ZSTD, "more"), refused: unsafe(/zstd .*followed by other/) },
  { name: "zstd with a byte after its end", bytes: joined(ZSTD, "\n"), refused: unsafe(/followed by other/) },
  { name: "zstd with garbage after padding", bytes: joined(ZSTD, NULS, "m"), refused: unsafe(/followed by other/) },
  { name: "zstd with a wrong checksum", bytes: changed(ZSTD, -1), refused: unsafe(/checksum is wrong/) },
  { name: "zstd with changed content", bytes: changed(ZSTD, -8), refused: unsafe(/checksum is wrong/) },
  { name: "zstd cut in its data", bytes: ZSTD.subarray(0, 15), refused: unsafe(/cut short/) },
  { name: "zstd cut in its checksum", bytes: ZSTD.subarray(0, -2), refused: unsafe(/cut short/) },
  { name: "zstd cut between header and block", bytes: ZSTD.subarray(0, 6), refused: unsafe(/cut short/) },
  {
    name: "zstd with a window of 256 MiB",
    bytes: Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x90, 9, 0, 0, 0x61]),
    refused: unsafe(/128 MiB/),
  },
  { name: "text with the name of a gzip file", file: "data.csv.gz", bytes: Buffer.from(TEXT), content: TEXT },
  { name: "text with the name of a zstd file", file: "data.csv.zst", bytes: Buffer.from(TEXT), content: TEXT },
  { name: "text with a name that is a pattern", file: "data [1]*.csv", bytes: Buffer.from(TEXT), content: TEXT },
  {
    name: "gzip in gzip",
    bytes: gzipSync(GZIP),
    refused: { code: "reader_mismatch", words: /gzip data inside compressed data/ },
  },
  ...(
    [
      ["bzip2", "BZh91AY&SY", /bzip2 data. Unpack it/],
      ["xz", "\xfd7zXZ\0", /xz data/],
      ["lz4", "\x04\x22\x4d\x18", /LZ4 data/],
      ["7z", "7z\xbc\xaf\x27\x1c", /7z archive/],
      ["rar", "Rar!\x1a\x07", /rar archive/],
      ["an old workbook", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", /old \(xls\)/],
      ["a PDF", "%PDF-1.7", /PDF/],
    ] as const
  ).map(([name, sign, words]) => ({
    name,
    bytes: joined(Buffer.from(sign, "latin1"), NULS),
    refused: { code: "reader_mismatch", words },
  })),
];

interface ZipOptions {
  stored?: boolean;
  streamed?: boolean;
  zip64?: boolean;
}

/** A zip as other programs write it: with data descriptors after the members, or in the form for large files. */
async function zip(
  members: Readonly<Record<string, string>>,
  { stored = false, streamed = false, zip64 = false }: ZipOptions,
) {
  const file = new ZipFile();
  const options = { compress: !stored, forceZip64Format: zip64 };
  for (const [name, content] of Object.entries(members)) {
    if (streamed) file.addReadStream(Readable.from([Buffer.from(content)]), name, options);
    else file.addBuffer(Buffer.from(content), name, options);
  }
  file.end({ forceZip64Format: zip64, comment: "" });
  const chunks: Buffer[] = [];
  for await (const chunk of file.outputStream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Every header of a zip changed: `at` in those of its directory, `local` in those before its members. */
function withHeaders(bytes: Buffer, at: number, local: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  for (const [sign, place] of [
    ["PK\x01\x02", at],
    ["PK\x03\x04", local],
  ] as const)
    for (let start = copy.indexOf(sign); start >= 0; start = copy.indexOf(sign, start + 4))
      copy.writeUInt16LE(value, start + place);
  return copy;
}

/** Members of a tar without its end. */
const members = (files: Parameters<typeof tar>[0], type?: string) => tar(files, type).subarray(0, -1024);
const TAR_END = Buffer.alloc(1024);
const paxRecord = (key: string, value: string) => {
  const rest = ` ${key}=${value}\n`;
  const length = rest.length + 2 + (rest.length + 2 > 99 ? 1 : 0);
  return Buffer.from(`${length}${rest}`);
};
const LONG = `${"long/".repeat(30)}data.csv`;
const DATA = Buffer.from(TEXT);
const archive = { member: "*.csv" };

export const ARCHIVES: readonly PackedFile[] = [
  {
    name: "zip of one file with data",
    bytes: () => zip({ "read.me": "hello", "d/data.csv": TEXT }, {}),
    ...{ archive, content: TEXT, unpublished: /zip archive.*"read.me", "d\/data.csv"/, chosen: "d/data.csv" },
  },
  {
    name: "zip of several files with data",
    bytes: () => zip({ "b.csv": "b\n", "a.csv": "a\n" }, {}),
    ...{ archive, unpublished: /zip archive/, chosen: null },
    refused: { code: "archive_member", words: /2 members match.*"b.csv", "a.csv"/ },
  },
  {
    name: "zip of several files, all wanted, in the order of their names",
    bytes: () => zip({ "b.csv": "b\n", "a.csv": "a\n" }, {}),
    archive: { member: "*.csv", expect: "many" },
    ...{ content: "a\nb\n", unpublished: /zip archive/, chosen: null },
  },
  {
    name: "zip without a choice",
    bytes: () => zip({ "data.csv": TEXT }, {}),
    refused: { code: "archive_member", words: /zip archive. Choose its member in `archive`.*"data.csv"/ },
    ...{ unpublished: /zip archive/, chosen: "data.csv" },
  },
  {
    name: "zip without files",
    bytes: Buffer.concat([Buffer.from("PK\x05\x06"), Buffer.alloc(18)]),
    ...{ archive, unpublished: /zip archive/ },
    refused: { code: "archive_member", words: /no files/ },
  },
  {
    name: "zip with data descriptors",
    bytes: () => zip({ "data.csv": TEXT }, { streamed: true }),
    ...{ archive, content: TEXT, unpublished: /zip archive/, chosen: "data.csv" },
  },
  {
    name: "zip in the form for large files",
    bytes: () => zip({ "data.csv": TEXT }, { zip64: true }),
    ...{ archive, content: TEXT, unpublished: /zip archive/, chosen: "data.csv" },
  },
  {
    name: "zip with a wrong CRC",
    bytes: async () => {
      const bytes = await zip({ "data.csv": TEXT }, { stored: true });
      return changed(bytes, bytes.indexOf(TEXT) + 4);
    },
    ...{ archive, refused: unsafe(/"data.csv" is damaged: its CRC-32 is wrong/), unpublished: /zip archive/ },
  },
  {
    name: "zip that is cut short",
    bytes: async () => (await zip({ "data.csv": TEXT }, {})).subarray(0, -30),
    ...{ archive, refused: unsafe(/cannot be opened/), unpublished: /cannot be opened/ },
  },
  {
    name: "zip of Windows, with backslashes in names",
    bytes: async () =>
      Buffer.from((await zip({ "d/data.csv": TEXT }, {})).toString("latin1").replaceAll("d/", "d\\"), "latin1"),
    ...{ archive: { member: "d/*.csv" }, content: TEXT, unpublished: /zip archive/, chosen: "d/data.csv" },
  },
  {
    name: "zip of macOS, with files that it adds by itself",
    bytes: () => zip({ "data.csv": TEXT, "__MACOSX/._data.csv": "resources", ".DS_Store": "folder" }, {}),
    ...{ archive, content: TEXT, unpublished: /zip archive/, chosen: "data.csv" },
  },
  {
    name: "zip with an encrypted member",
    bytes: async () => withHeaders(await zip({ "data.csv": TEXT }, {}), 8, 6, 1),
    ...{ archive, refused: unsafe(/"data.csv" is encrypted/), unpublished: /zip archive/ },
  },
  {
    name: "zip with an unknown compression",
    bytes: async () => withHeaders(await zip({ "data.csv": TEXT }, {}), 10, 8, 9),
    ...{ archive, refused: unsafe(/method 9/), unpublished: /zip archive/ },
  },
  {
    name: "zip in a zip",
    bytes: async () => zipped({ "inner.zip": await zip({ "data.csv": TEXT }, {}) }),
    ...{ archive: { member: "*.zip" }, unpublished: /zip archive/, chosen: null },
    refused: { code: "archive_member", words: /"inner.zip" is an archive itself/ },
  },
  {
    name: "zip of a gzip file",
    bytes: async () => zipped({ "data.csv.gz": GZIP }),
    ...{ archive: { member: "*.gz" }, content: TEXT, unpublished: /zip archive/, chosen: "data.csv.gz" },
  },
  {
    name: "tar",
    bytes: tar([
      ["read.me", Buffer.from("hello")],
      ["data.csv", DATA],
    ]),
    ...{ archive, content: TEXT, unpublished: /tar archive/, chosen: "data.csv" },
  },
  {
    name: "tar in zstd",
    bytes: zstdCompressSync(tar([["data.csv", DATA]])),
    ...{ archive, content: TEXT, unpublished: /tar archive/, chosen: "data.csv" },
  },
  {
    name: "tar without a choice",
    bytes: tar([["data.csv", DATA]]),
    refused: { code: "archive_member", words: /tar archive. Choose its member/ },
    ...{ unpublished: /tar archive/, chosen: "data.csv" },
  },
  {
    name: "tar with a long name of pax",
    bytes: joined(members([["x", paxRecord("path", LONG)]], "x"), members([["cut", DATA]]), TAR_END),
    ...{ archive: { member: LONG }, content: TEXT, unpublished: /tar archive/, chosen: LONG },
  },
  {
    name: "tar with a long name of GNU",
    bytes: joined(members([["././@LongLink", Buffer.from(`${LONG}\0`)]], "L"), members([["cut", DATA]]), TAR_END),
    ...{ archive: { member: LONG }, content: TEXT, unpublished: /tar archive/, chosen: LONG },
  },
  {
    name: "tar with a sparse file",
    bytes: joined(members([["x", paxRecord("GNU.sparse.major", "1")]], "x"), members([["data.csv", DATA]]), TAR_END),
    ...{ archive, refused: unsafe(/sparse/), unpublished: /sparse/ },
  },
  {
    name: "tar cut within a member",
    bytes: tar([["data.csv", DATA]]).subarray(0, 515),
    ...{ archive, refused: unsafe(/cut short/), unpublished: /cut short/ },
  },
  {
    name: "tar cut between members",
    bytes: members([["data.csv", DATA]]),
    ...{ archive, refused: unsafe(/cut short/), unpublished: /cut short/ },
  },
  {
    name: "tar after a tar",
    bytes: joined(tar([["data.csv", DATA]]), tar([["more.csv", DATA]])),
    ...{ archive, refused: unsafe(/followed by other/), unpublished: /followed by other/ },
  },
];
