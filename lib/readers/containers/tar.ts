import { open } from "node:fs/promises";
import { ReadFailure } from "@/lib/readers/failure";

export interface TarMember {
  name: string;
  /** Where its bytes begin in the file. */
  start: number;
  bytes: number;
}

const BLOCK = 512;
const HEADER_BYTES_MAX = 64 * 1024;
const NAME_BYTES_MAX = 512;

/** The plain files of a tar (ustar, pax, GNU long names), from its headers only. Links and devices are rejected. */
export async function tarMembers(
  path: string,
  limits: { members: number; unpackedBytes: number },
): Promise<TarMember[]> {
  const file = await open(path, "r");
  try {
    const read = async (position: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      if (bytesRead < length) throw unsafe("The tar archive is cut short. Fetch or pack it again.");
      return buffer;
    };
    return await readMembers(read, (await file.stat()).size, limits);
  } finally {
    await file.close();
  }
}

type ReadAt = (position: number, length: number) => Promise<Buffer>;

async function readMembers(
  read: ReadAt,
  size: number,
  limits: { members: number; unpackedBytes: number },
): Promise<TarMember[]> {
  const members: TarMember[] = [];
  let extra: Extra = {};
  let [at, headers] = [0, 0];
  while (true) {
    const header = await read(at, BLOCK);
    if (isZero(header)) break;
    headers += 1;
    if (headers > limits.members * 2) throw unsafe(`The archive has more than ${limits.members} members.`);
    const { bytes, type } = sizeAndType(header, extra);
    const start = at + BLOCK;
    checkRange(start, bytes, size);
    if (EXTENSIONS.has(type)) extra = await extended(read, start, bytes, type, extra);
    else {
      if (isPlainFile(type, extra.path ?? nameOf(header)))
        members.push({ name: checkedName(extra.path ?? nameOf(header)), start, bytes });
      extra = {};
    }
    at = start + Math.ceil(bytes / BLOCK) * BLOCK;
  }
  await refuseRest(read, at + BLOCK, size);
  return members;
}

/** After its end, an archive is filled with zeros. */
async function refuseRest(read: ReadAt, from: number, size: number): Promise<void> {
  for (let at = from; at < size; at += HEADER_BYTES_MAX)
    if (!isZero(await read(at, Math.min(HEADER_BYTES_MAX, size - at))))
      throw unsafe("The tar archive is followed by other bytes. Pack it again, as a single archive.");
}

const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

function checkRange(start: number, bytes: number, size: number): void {
  if (!(bytes >= 0 && start + bytes <= size))
    throw unsafe("The tar archive is cut short, or a size is wrong. Fetch or pack it again.");
}

/** Types of headers that describe the next member or all members: pax local and global, GNU long name. */
const EXTENSIONS = new Set(["x", "g", "L"]);
type Extra = Readonly<Record<string, string>>;

function sizeAndType(header: Buffer, extra: Extra): { bytes: number; type: string } {
  checkSum(header);
  if (Object.keys(extra).some((key) => key.startsWith("GNU.sparse.")))
    throw unsafe("The tar archive has a sparse file, which is not unpacked. Pack it again without --sparse.");
  const bytes = extra.size === undefined ? numberOf(header, 124, 12) : Number(extra.size);
  return { bytes, type: String.fromCharCode(header[156] ?? 0) };
}

function isPlainFile(type: string, name: string): boolean {
  if (type === "0" || type === "\0") return true;
  if (type === "5") return false; // a folder
  throw unsafe(`Member ${JSON.stringify(name.slice(0, 100))} is a link or a device, which is not unpacked.`);
}

/** Reads pax records `length key=value`, or a GNU long name. */
async function extended(
  read: ReadAt,
  start: number,
  bytes: number,
  type: string,
  before: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  if (bytes > HEADER_BYTES_MAX) throw unsafe("A tar header is larger than 64 KiB.");
  const content = await read(start, bytes);
  if (type === "g") return before;
  if (type === "L") return { ...before, path: textOf(content) };
  const found: Record<string, string> = { ...before };
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = Number(content.toString("latin1", at, space));
    if (space < 0 || !(length > space - at && at + length <= content.length)) throw unsafe("A tar header is damaged.");
    const record = content.toString("utf8", space + 1, at + length - 1);
    const cut = record.indexOf("=");
    found[record.slice(0, cut)] = record.slice(cut + 1);
    at += length;
  }
  return found;
}

function nameOf(header: Buffer): string {
  const prefix = header.toString("latin1", 257, 263) === "ustar\0" ? textOf(header.subarray(345, 500)) : "";
  const name = textOf(header.subarray(0, 100));
  return prefix === "" ? name : `${prefix}/${name}`;
}

function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end < 0 ? undefined : end);
}

/** A number in octal digits, or in base 256 if the first bit is set. */
function numberOf(header: Buffer, at: number, length: number): number {
  if (((header[at] ?? 0) & 0x80) !== 0) return Number(header.readBigUInt64BE(at + length - 8));
  const digits = textOf(header.subarray(at, at + length)).trim();
  return /^[0-7]*$/.test(digits) ? Number.parseInt(digits || "0", 8) : Number.NaN;
}

function checkSum(header: Buffer): void {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 0x20 : byte;
  if (sum !== numberOf(header, 148, 8)) throw unsafe("The file is not a tar archive, or it is damaged.");
}

function checkedName(name: string): string {
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) throw unsafe("A member's name is longer than 512 bytes.");
  return name;
}

const unsafe = (message: string): ReadFailure => new ReadFailure("archive_unsafe", message);
