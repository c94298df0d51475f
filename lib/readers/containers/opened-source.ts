import { stat } from "node:fs/promises";
import { ReadFailure } from "@/lib/readers/failure";
import { isWorkbook } from "@/lib/readers/xlsx/workbook-kind";
import { type ArchiveKind, type ArchiveMember, archiveKindOf, matching, openArchive } from "./archive";
import { BoundedCopy } from "./bounded-copy";
import { compressionOf, decompressed } from "./compression";
import type { Compression } from "./padding";

/** The container of a source. */
export interface ContainerFound {
  kind: Compression | ArchiveKind;
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

const SHOWN_MAX = 50;
const DATA_NAME = /\.(?:csv|tsv|txt|json|ndjson|jsonl|geojson|parquet|xlsx|xlsm)(?:\.gz|\.zst)?$/i;

/** Opens a source's container: gzip or zstd, then an archive, of which the only member with data is used. */
export async function openSource(opening: Opening): Promise<OpenedSource> {
  const { folder, headBytes, path, isWhole, name } = opening;
  const copy = new BoundedCopy(folder, { headBytes });
  const plain = await uncompressed({ path, isWhole, name, containers: [] }, copy);
  const kind = plain.isWhole ? await archiveKindOf(plain.path) : undefined;
  return kind ? await openedArchive(plain, kind, opening, copy) : plain;
}

async function uncompressed(file: OpenedSource, copy: BoundedCopy): Promise<OpenedSource> {
  const { path, isWhole, name, containers } = file;
  const kind = await compressionOf(path);
  if (!kind) return file;
  const { path: target, isAll } = await copy.write(decompressed(path, kind, !isWhole), (await stat(path)).size);
  return {
    path: target,
    isWhole: isWhole && isAll,
    name: name.replace(/\.(?:gz|zst)$/i, ""),
    containers: [...containers, { kind, members: [], chosen: null }],
  };
}

async function openedArchive(
  plain: OpenedSource,
  kind: ArchiveKind,
  { unpackedBytes, member: glob }: Opening,
  copy: BoundedCopy,
): Promise<OpenedSource> {
  const archive = await openArchive(plain.path, kind, unpackedBytes);
  try {
    const { members } = archive;
    if (kind === "zip" && isWorkbook(members)) return plain;
    if (members.length === 0) throw new ReadFailure("archive_member", `The ${kind} archive has no files.`);
    const found = matching(members, glob ?? ((name) => DATA_NAME.test(name)));
    const [member] = found.length === 1 || glob !== undefined ? found : [];
    const shown = members.slice(0, SHOWN_MAX).map(({ name, bytes }) => ({ name: name.slice(0, 200), bytes }));
    const containers = [...plain.containers, { kind, members: shown, chosen: member?.name ?? null }];
    if (!member) return { ...plain, containers };
    const { path, isAll } = await copy.write(archive.read(member));
    return await uncompressed({ path, isWhole: isAll, name: member.name, containers }, copy);
  } finally {
    archive.close();
  }
}

/** The files of a tar archive, those with data first; undefined if it is none. */
export async function listTar({ folder, path, name, unpackedBytes }: Opening): Promise<ArchiveMember[] | undefined> {
  const copy = new BoundedCopy(folder, { bytesMax: unpackedBytes });
  const plain = await uncompressed({ path, isWhole: true, name, containers: [] }, copy);
  if ((await archiveKindOf(plain.path)) !== "tar") return undefined;
  const { members } = await openArchive(plain.path, "tar", unpackedBytes);
  const hasData = (member: ArchiveMember) => DATA_NAME.test(member.name.replace(/\.(?:gz|zst)$/i, ""));
  return [...members.filter(hasData), ...members.filter((member) => !hasData(member))].map(({ name, bytes }) => ({
    ...{ name, bytes },
  }));
}
