import { stat } from "node:fs/promises";
import { mismatch, ReadFailure } from "@/lib/readers/failure";
import { isWorkbook as holdsWorkbook } from "@/lib/readers/xlsx/workbook-kind";
import type { Archive } from "@/lib/schemas/recipe-source";
import { archiveKindOf, matching, type OpenArchive, openArchive, unchosen } from "./archive";
import type { BoundedCopy } from "./bounded-copy";
import { compressionOf, decompressed } from "./compression";
import { refuseUnread } from "./unread-formats";

export interface UnpackedFile {
  /** The member of an archive; null for a single file. */
  member: string | null;
  path: string;
}

export interface Unpacking {
  /** Writes unpacked files, under our own numbers. */
  copy: BoundedCopy;
  archive: Archive | undefined;
  unpackedBytes: number;
  /** xlsx is a zip that its own reader opens. */
  isWorkbook: boolean;
}

/** The files in a raw file: the file itself, the contents of gzip or zstd, or the chosen members of an archive. */
export async function unpack(path: string, unpacking: Unpacking): Promise<UnpackedFile[]> {
  const { archive, copy } = unpacking;
  const plain = await uncompressed(path, copy);
  if (archive) {
    const kind = archive.kind === "auto" ? ((await archiveKindOf(plain)) ?? "tar") : archive.kind;
    return await unpackMembers(await openArchive(plain, kind, unpacking.unpackedBytes), archive, unpacking);
  }
  await refuseArchive(plain, unpacking);
  return [{ member: null, path: plain }];
}

/** The file itself, or what is in it if it is compressed. */
export async function uncompressed(path: string, copy: BoundedCopy): Promise<string> {
  const compression = await compressionOf(path);
  if (!compression) return path;
  const { size } = await stat(path);
  return (await copy.write(decompressed(path, compression), size)).path;
}

async function refuseArchive(path: string, { isWorkbook, unpackedBytes }: Unpacking): Promise<void> {
  const kind = await archiveKindOf(path);
  if (kind === undefined || (kind === "zip" && isWorkbook)) return await refuseUnread(path, "The source");
  const archive = await openArchive(path, kind, unpackedBytes);
  archive.close();
  if (kind === "zip" && holdsWorkbook(archive.members))
    throw mismatch("The source is a workbook. Use the reader xlsx.");
  throw unchosen(`The source is a ${kind} archive. Choose its member in \`archive\`.`, archive.members);
}

async function unpackMembers(
  archive: OpenArchive,
  chosen: Archive,
  { copy, isWorkbook }: Unpacking,
): Promise<UnpackedFile[]> {
  try {
    const files: UnpackedFile[] = [];
    for (const member of choose(archive, chosen)) {
      const path = await uncompressed((await copy.write(archive.read(member))).path, copy);
      const what = `Member ${JSON.stringify(member.name.slice(0, 100))}`;
      const isArchive = (await archiveKindOf(path)) !== undefined;
      if (isArchive && !isWorkbook)
        throw new ReadFailure(
          "archive_member",
          `${what} is an archive itself, which is not unpacked. Unpack it first.`,
        );
      if (!isArchive) await refuseUnread(path, what);
      files.push({ member: member.name, path });
    }
    return files;
  } finally {
    archive.close();
  }
}

/** The members that the glob matches, sorted by name, since nobody guarantees their order in an archive. */
function choose({ members }: OpenArchive, { member, expect }: Archive) {
  const found = matching(members, member).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (found.length === 1 || (expect === "many" && found.length > 0)) return found;
  const matches = found.length === 0 ? "No member matches" : `${found.length} members match`;
  throw unchosen(`${matches} ${JSON.stringify(member)}.`, members);
}
