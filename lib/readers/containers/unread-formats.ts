import { mismatch } from "@/lib/readers/failure";
import { firstBytes } from "./compression";

/** A format that is recognised, but not read. */
export interface UnreadFormat {
  value: string;
  /** What it is, and what to do. */
  is: string;
}

const HEAD_BYTES = 1 << 20;
const REPACK = "Unpack it, or compress it with gzip or zstd.";
const UNPACK = "Unpack it, or pack it as zip or tar.";
const CONVERT = "Convert it to csv or Parquet.";
const RESAVE = "Save it as xlsx or csv.";

const OLD_OFFICE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

const begins =
  (sign: string, at = 0) =>
  (start: string): boolean =>
    start.startsWith(sign, at);

/** By a file's first 100 bytes, as Latin-1. */
const SIGNS: readonly (readonly [value: string, isIt: (start: string) => boolean, is: string])[] = [
  ["bzip2", (start) => start.startsWith("BZh") && start.startsWith("1AY&SY", 4), `bzip2 data. ${REPACK}`],
  ["xz", begins("\xfd7zXZ\0"), `xz data. ${REPACK}`],
  ["lz4", begins("\x04\x22\x4d\x18"), `LZ4 data. ${REPACK}`],
  ["lzip", begins("LZIP\x01"), `lzip data. ${REPACK}`],
  ["compress", begins("\x1f\x9d"), `compress data (.Z). ${REPACK}`],
  ["snappy", begins("\xff\x06\0\0sNaPpY"), `Snappy data. ${REPACK}`],
  ["gzip", begins("\x1f\x8b"), "gzip data inside compressed data. Compress it only once."],
  ["zstd", begins("\x28\xb5\x2f\xfd"), "zstd data inside compressed data. Compress it only once."],
  ["7z", begins("7z\xbc\xaf\x27\x1c"), `a 7z archive. ${UNPACK}`],
  ["rar", begins("Rar!\x1a\x07"), `a rar archive. ${UNPACK}`],
  ["cab", begins("MSCF\0\0\0\0"), `a cab archive. ${UNPACK}`],
  ["ods", begins("mimetypeapplication/vnd.oasis.opendocument.", 30), `an OpenDocument file (ods). ${RESAVE}`],
  ["arrow", begins("ARROW1\0\0"), `an Arrow file. ${CONVERT}`],
  ["feather", begins("FEA1"), `a Feather file. ${CONVERT}`],
  ["avro", begins("Obj\x01"), `an Avro file. ${CONVERT}`],
  ["sqlite", begins("SQLite format 3\0"), `an SQLite database. ${CONVERT}`],
  ["pdf", begins("%PDF-"), `a PDF. ${CONVERT}`],
];

/**
 * The format of a file that is not read, judged by its first bytes; undefined for all others. Brotli has no sign, so
 * its name counts too.
 */
export function unreadFormat(head: Buffer, name = ""): UnreadFormat | undefined {
  const start = head.toString("latin1", 0, 100);
  const found = SIGNS.find(([, isIt]) => isIt(start));
  if (found) return { value: found[0], is: found[2] };
  if (start.startsWith("PK\x03\x04") && head.includes("xl/workbook.bin"))
    return { value: "xlsb", is: `a binary workbook (xlsb). ${RESAVE}` };
  if (/\.br$/i.test(name) && !isPlain(head)) return { value: "brotli", is: `Brotli data. ${REPACK}` };
  return start.startsWith(OLD_OFFICE) ? { value: "xls", is: oldOffice(head) } : undefined;
}

/** Whether the first bytes are ASCII without control characters other than blanks. */
const isPlain = (head: Buffer): boolean => head.subarray(0, 1000).every((byte) => byte >= 9 && byte < 0x80);

/** Fails with `reader_mismatch` if a file is of such a format. `what` begins the sentence: "The source". */
export async function refuseUnread(path: string, what: string): Promise<void> {
  const found = unreadFormat(await firstBytes(path, HEAD_BYTES), what);
  if (found) throw mismatch(`${what} is ${found.is}`);
}

const ENCRYPTED = Buffer.from("EncryptedPackage", "utf16le");

const oldOffice = (head: Buffer): string =>
  head.includes(ENCRYPTED)
    ? `a password-protected workbook. Save it without a password, as xlsx or csv.`
    : `an old (xls) or password-protected Excel workbook. Save it as plain xlsx or csv.`;
