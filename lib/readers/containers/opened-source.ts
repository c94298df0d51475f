import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { constants, createGunzip } from "node:zlib";
import { globPattern } from "./glob";
import { tarMembers } from "./tar";
import { openZip } from "./zip-directory";
import { zstdDecoder } from "./zstd";

/** The container of a source. */
export interface ContainerFound {
  kind: "gzip" | "zstd" | "zip" | "tar";
  /** The first 50 members of an archive. */
  members: { name: string; bytes: number }[];
  /** The member that was inspected; null if it is not clear which one to choose. */
  chosen: string | null;
}

/** The file to inspect, and its container. */
export interface OpenedSource {
  path: string;
  isWhole: boolean;
  /** The file's name, whose extension shows the format if the bytes do not. */
  name: string;
  containers: ContainerFound[];
}

export interface Opening {
  folder: string;
  path: string;
  isWhole: boolean;
  name: string;
  /** A glob for the wanted member. */
  member: string | undefined;
  /** How many bytes are unpacked. */
  headBytes: number;
  unpackedBytes: number;
}

const MEMBERS_MAX = 10_000;
const SHOWN_MAX = 50;
const DATA_NAME = /\.(?:csv|tsv|txt|json|ndjson|jsonl|geojson|parquet|xlsx)$/i;
const TAR_SIGN_AT = 257;

/** Opens a source's container: gzip or zstd, then an archive, of which the only member with data is used. */
export async function openSource(opening: Opening): Promise<OpenedSource> {
  const plain = await uncompressed(opening);
  if (!plain.isWhole) return plain;
  const head = await beginning(plain.path, TAR_SIGN_AT + 5);
  if (head.subarray(0, 4).toString("latin1") === "PK\x03\x04") return await openedZip(plain, opening);
  if (head.subarray(TAR_SIGN_AT).toString("latin1") === "ustar") return await openedTar(plain, opening);
  return plain;
}

async function uncompressed(opening: Opening): Promise<OpenedSource> {
  const { path, isWhole, name, folder, headBytes } = opening;
  const magic = (await beginning(path, 4)).toString("hex");
  const kind = magic.startsWith("1f8b") ? "gzip" : magic === "28b52ffd" ? "zstd" : undefined;
  if (!kind) return { path, isWhole, name, containers: [] };
  const decoder = kind === "gzip" ? createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }) : zstdDecoder();
  const target = join(folder, "uncompressed");
  const isAll = await headOf(createReadStream(path).compose(decoder) as Readable, target, { headBytes, isWhole });
  const containers: ContainerFound[] = [{ kind, members: [], chosen: null }];
  return { path: target, isWhole: isWhole && isAll, name: name.replace(/\.(?:gz|zst)$/i, ""), containers };
}

/** Writes the first bytes of a stream. Returns false if there are more, or if a truncated stream ends. */
async function headOf(
  source: Readable,
  target: string,
  { headBytes, isWhole }: { headBytes: number; isWhole: boolean },
): Promise<boolean> {
  const file = await open(target, "w");
  let bytes = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      const part = chunk.subarray(0, headBytes - bytes);
      await file.write(part);
      bytes += part.length;
      if (bytes >= headBytes) return false;
    }
    return true;
  } catch (error) {
    if (isWhole || bytes === 0) throw error;
    return false;
  } finally {
    source.destroy();
    await file.close();
  }
}

async function openedZip(plain: OpenedSource, opening: Opening): Promise<OpenedSource> {
  const zip = await openZip(plain.path, { unpackedBytes: opening.unpackedBytes, members: MEMBERS_MAX });
  try {
    if (zip.members.some(({ name }) => name.toLowerCase() === "xl/workbook.xml")) return plain;
    const member = chosen(zip.members, opening.member);
    const target = join(opening.folder, "member");
    const isAll = member && (await headOf(await zip.open(member), target, { ...opening, isWhole: true }));
    return archived(plain, "zip", zip.members, member && { name: member.name, path: target, isWhole: isAll === true });
  } finally {
    zip.close();
  }
}

async function openedTar(plain: OpenedSource, opening: Opening): Promise<OpenedSource> {
  const members = await tarMembers(plain.path, { members: MEMBERS_MAX, unpackedBytes: opening.unpackedBytes });
  const member = chosen(members, opening.member);
  if (!member || member.bytes === 0) return archived(plain, "tar", members, undefined);
  const target = join(opening.folder, "member");
  const source = createReadStream(plain.path, { start: member.start, end: member.start + member.bytes - 1 });
  const isWhole = await headOf(source, target, { ...opening, isWhole: true });
  return archived(plain, "tar", members, { name: member.name, path: target, isWhole });
}

/** The files of a tar archive, those with data first; undefined if it is none. */
export async function listTar(opening: Opening): Promise<{ name: string; bytes: number }[] | undefined> {
  const plain = await uncompressed({ ...opening, headBytes: opening.unpackedBytes });
  const head = await beginning(plain.path, TAR_SIGN_AT + 5);
  if (!plain.isWhole || head.subarray(TAR_SIGN_AT).toString("latin1") !== "ustar") return undefined;
  const members = await tarMembers(plain.path, { members: MEMBERS_MAX, unpackedBytes: opening.unpackedBytes });
  const hasData = ({ name }: { name: string }) => DATA_NAME.test(name.replace(/\.(?:gz|zst)$/i, ""));
  return [...members.filter(hasData), ...members.filter((member) => !hasData(member))].map(({ name, bytes }) => ({
    name,
    bytes,
  }));
}

/** The only member that the glob matches, or the only one whose name looks like data. */
function chosen<Member extends { name: string }>(members: readonly Member[], glob: string | undefined) {
  const fits = glob === undefined ? (name: string) => DATA_NAME.test(name) : globPattern(glob);
  const found = members.filter(({ name }) => fits(name));
  return found.length === 1 || (glob !== undefined && found.length > 0) ? found[0] : undefined;
}

function archived(
  plain: OpenedSource,
  kind: "zip" | "tar",
  members: readonly { name: string; bytes: number }[],
  member: { name: string; path: string; isWhole: boolean } | undefined,
): OpenedSource {
  const shown = members.slice(0, SHOWN_MAX).map(({ name, bytes }) => ({ name: name.slice(0, 200), bytes }));
  const containers = [...plain.containers, { kind, members: shown, chosen: member?.name ?? null }];
  return member ? { ...member, containers } : { ...plain, containers };
}

async function beginning(path: string, bytes: number): Promise<Buffer> {
  const length = Math.min(bytes, (await stat(path)).size);
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
