import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { ReadFailure } from "@/lib/readers/failure";

export interface ZipLimits {
  unpackedBytes: number;
  members: number;
}

/** A zip whose directory has been checked: stated sizes, ratios, names and overlaps. */
export interface ZipDirectory {
  members: readonly ZipMember[];
  /** Fails with `archive_unsafe` if the member's size or CRC-32 is not what the directory says. */
  read(member: ZipMember): AsyncGenerator<Buffer>;
  close(): void;
}

export interface ZipMember {
  name: string;
  bytes: number;
  entry: Entry;
}

const NAME_BYTES_MAX = 512;
const RATIO_MAX = 1000;
const RATIO_FROM_BYTES = 10 * 1024 * 1024;
const [STORED, DEFLATED] = [0, 8] as const;

/** Reads a zip's directory. Rejects what cannot be unpacked safely before anything is unpacked. */
export async function openZip(path: string, limits: ZipLimits): Promise<ZipDirectory> {
  const zip = await openFile(path);
  try {
    const members = await readMembers(zip, limits);
    refuseOverlaps(members);
    return {
      members,
      read: (member) => verified(zip, member),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** yauzl verifies sizes of compressed members, but no checksums. */
async function* verified(zip: ZipFile, { name, bytes, entry }: ZipMember): AsyncGenerator<Buffer> {
  const shown = `Member ${JSON.stringify(name.slice(0, 100))}`;
  if (entry.isEncrypted()) throw unsafe(`${shown} is encrypted. Publish it without a password.`);
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    throw unsafe(`${shown} is compressed by method ${entry.compressionMethod}, which is not supported. Use Deflate.`);
  let [crc, count] = [0, 0];
  try {
    const stream = await promisify<Entry, Readable>(zip.openReadStream.bind(zip))(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      crc = crc32(chunk, crc);
      count += chunk.length;
      yield chunk;
    }
  } catch (error) {
    if (/^E(?!RR_)/.test((error as NodeJS.ErrnoException).code ?? "")) throw error; // the disk's fault, not the file's
    throw unsafe(`${shown} is damaged: ${messageOf(error)}. Fetch or pack the archive again.`);
  }
  if (count !== bytes) throw unsafe(`${shown} is cut short. Fetch or pack the archive again.`);
  if (crc !== entry.crc32) throw unsafe(`${shown} is damaged: its CRC-32 is wrong. Fetch or pack the archive again.`);
}

async function openFile(path: string): Promise<ZipFile> {
  try {
    return await yauzl.openPromise(path, { autoClose: false, lazyEntries: true });
  } catch (error) {
    throw unsafe(`The zip archive cannot be opened: ${messageOf(error)}. Fetch or pack it again.`);
  }
}

function readMembers(zip: ZipFile, limits: ZipLimits): Promise<ZipMember[]> {
  if (zip.entryCount > limits.members)
    throw unsafe(`The archive has ${zip.entryCount} members (maximum ${limits.members}).`);
  return new Promise((resolve, reject) => {
    const members: ZipMember[] = [];
    let total = 0;
    zip.on("error", (error: Error) =>
      reject(unsafe(`The zip archive cannot be read: ${messageOf(error)}. Fetch or pack it again.`)),
    );
    zip.once("end", () => resolve(members));
    zip.on("entry", (entry: Entry) => {
      try {
        total += entry.uncompressedSize;
        checkMember(entry, total, limits);
        if (!entry.fileName.endsWith("/")) members.push({ name: entry.fileName, bytes: entry.uncompressedSize, entry });
        zip.readEntry();
      } catch (error) {
        reject(error);
      }
    });
    zip.readEntry();
  });
}

function checkMember(entry: Entry, total: number, limits: ZipLimits): void {
  const shown = JSON.stringify(entry.fileName.slice(0, 100));
  if (Buffer.byteLength(entry.fileName) > NAME_BYTES_MAX) throw unsafe("A member's name is longer than 512 bytes.");
  const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize);
  if (entry.uncompressedSize > RATIO_FROM_BYTES && ratio > RATIO_MAX)
    throw unsafe(`Member ${shown} unpacks to ${Math.round(ratio)} times its size (maximum ${RATIO_MAX}).`);
  if (total > limits.unpackedBytes) throw unsafe(`The archive unpacks to more than ${limits.unpackedBytes} bytes.`);
}

/** Members that share bytes can unpack to far more than the file could contain, since ratios are per member. */
function refuseOverlaps(members: readonly ZipMember[]): void {
  const ranges = members
    .map(({ name, entry }) => ({ name, start: entry.relativeOffsetOfLocalHeader, bytes: entry.compressedSize }))
    .toSorted((a, b) => a.start - b.start);
  for (const [at, { start, bytes, name }] of ranges.entries()) {
    const next = ranges[at + 1];
    if (next && start + bytes > next.start)
      throw unsafe(`Members ${JSON.stringify(name)} and ${JSON.stringify(next.name)} overlap.`);
  }
}

/** Without the stop, which follows it. */
const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200).replace(/\.$/, "");

const unsafe = (message: string): ReadFailure => new ReadFailure("archive_unsafe", message);
