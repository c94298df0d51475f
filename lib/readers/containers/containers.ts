import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { ReadFailure } from "@/lib/readers/failure";
import type { Archive } from "@/lib/schemas/recipe-source";
import type { BoundedCopy } from "./bounded-copy";
import { globPattern } from "./glob";
import { tarMembers } from "./tar";
import { openZip, type ZipDirectory } from "./zip-directory";
import { zstdDecoder } from "./zstd";

export interface UnpackedFile {
  /** The member of an archive; null for a single file. */
  member: string | null;
  path: string;
}

export interface Unpacking {
  /** Where unpacked files are written, under our own numbers. */
  folder: string;
  copy: BoundedCopy;
  archive: Archive | undefined;
  unpackedBytes: number;
  /** xlsx is a zip that its own reader opens. */
  isWorkbook: boolean;
}

const MEMBERS_MAX = 10_000;
const SHOWN_MAX = 50;
const GZIP = "1f8b";
const ZSTD = "28b52ffd";
const ZIP = "504b0304";
const EMPTY_ZIP = "504b0506";

/** The files in a raw file: the file itself, the contents of gzip or zstd, or the chosen members of an archive. */
export async function unpack(path: string, unpacking: Unpacking): Promise<UnpackedFile[]> {
  const plain = await uncompressed(path, unpacking);
  const { archive, isWorkbook } = unpacking;
  const isZip = [ZIP, EMPTY_ZIP].includes(await magicOf(plain, 4));
  if (!archive) {
    if (isZip && !isWorkbook)
      throw new ReadFailure("archive_member", "The source is a zip archive. Choose its member in `archive`.");
    return [{ member: null, path: plain }];
  }
  const kind = archive.kind === "auto" ? (isZip ? "zip" : "tar") : archive.kind;
  return kind === "zip" ? await unzip(plain, archive, unpacking) : await untar(plain, archive, unpacking);
}

async function uncompressed(path: string, { copy }: Unpacking): Promise<string> {
  const magic = await magicOf(path, 4);
  if (magic.startsWith(GZIP)) return await copy.write(createReadStream(path).compose(createGunzip()) as Readable, path);
  if (magic === ZSTD) return await copy.write(createReadStream(path).compose(zstdDecoder()) as Readable, path);
  return path;
}

async function magicOf(path: string, bytes: number): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead).toString("hex");
  } finally {
    await file.close();
  }
}

async function unzip(path: string, archive: Archive, unpacking: Unpacking): Promise<UnpackedFile[]> {
  const zip = await openZip(path, { unpackedBytes: unpacking.unpackedBytes, members: MEMBERS_MAX });
  try {
    const chosen = choose(zip.members, archive);
    const files: UnpackedFile[] = [];
    for (const member of chosen)
      files.push({ member: member.name, path: await unpackMember(zip, member, unpacking.copy) });
    return files;
  } finally {
    zip.close();
  }
}

async function unpackMember(zip: ZipDirectory, member: ZipDirectory["members"][number], copy: BoundedCopy) {
  try {
    return await copy.write(await zip.open(member), member.name);
  } catch (error) {
    if (error instanceof ReadFailure) throw error;
    const reason = error instanceof Error ? error.message.slice(0, 200) : "it is damaged";
    throw new ReadFailure("archive_unsafe", `Member ${JSON.stringify(member.name)} cannot be unpacked: ${reason}.`);
  }
}

async function untar(path: string, archive: Archive, { copy, unpackedBytes }: Unpacking): Promise<UnpackedFile[]> {
  const members = await tarMembers(path, { members: MEMBERS_MAX, unpackedBytes });
  const files: UnpackedFile[] = [];
  for (const { name, start, bytes } of choose(members, archive)) {
    const end = start + bytes - 1;
    const source = bytes === 0 ? createReadStream(path, { end: -1 }) : createReadStream(path, { start, end });
    files.push({ member: name, path: await copy.write(source, name) });
  }
  return files;
}

/** The members that the glob matches, sorted by name, since nobody guarantees their order in an archive. */
function choose<Member extends { name: string }>(members: readonly Member[], { member, expect }: Archive): Member[] {
  const pattern = globPattern(member);
  const found = members.filter(({ name }) => pattern(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (found.length === 1 || (expect === "many" && found.length > 0)) return found;
  const shown = members.slice(0, SHOWN_MAX).map(({ name }) => JSON.stringify(name.slice(0, 100)));
  const matches = found.length === 0 ? "No member matches" : `${found.length} members match`;
  throw new ReadFailure(
    "archive_member",
    `${matches} ${JSON.stringify(member)}. The archive has ${members.length}: ${shown.join(", ")}` +
      `${members.length > SHOWN_MAX ? " …" : ""}.`,
  );
}
