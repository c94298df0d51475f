import { createReadStream } from "node:fs";
import { ReadFailure } from "@/lib/readers/failure";
import { firstBytes } from "./compression";

import { tarMembers } from "./tar";
import { openZip } from "./zip-directory";

export type ArchiveKind = "zip" | "tar";

export interface ArchiveMember {
  name: string;
  bytes: number;
}

/** An archive whose directory has been checked. */
export interface OpenArchive<Member extends ArchiveMember = ArchiveMember> {
  members: readonly Member[];
  /** The member's content, verified as far as the archive allows. Fails with `archive_unsafe`. */
  read(member: Member): AsyncIterable<Buffer>;
  close(): void;
}

const MEMBERS_MAX = 10_000;
const SHOWN_MAX = 50;
const ZIP_SIGNS = ["PK\x03\x04", "PK\x05\x06"];
const TAR_SIGN_AT = 257;

/** Whether a file is an archive, judged by its first bytes. */
export async function archiveKindOf(path: string): Promise<ArchiveKind | undefined> {
  const head = (await firstBytes(path, TAR_SIGN_AT + 5)).toString("latin1");
  if (ZIP_SIGNS.includes(head.slice(0, 4))) return "zip";
  return head.slice(TAR_SIGN_AT) === "ustar" ? "tar" : undefined;
}

/** Opens an archive. Rejects what cannot be unpacked safely before anything is unpacked. */
export async function openArchive(path: string, kind: ArchiveKind, unpackedBytes: number): Promise<OpenArchive> {
  const limits = { members: MEMBERS_MAX, unpackedBytes };
  if (kind === "zip") return (await openZip(path, limits)) as OpenArchive;
  return {
    members: await tarMembers(path, limits),
    read: (member) => {
      const { start, bytes } = member as Awaited<ReturnType<typeof tarMembers>>[number];
      return createReadStream(path, bytes === 0 ? { end: -1 } : { start, end: start + bytes - 1 });
    },
    close: () => undefined,
  };
}

/** What macOS and Windows add to archives by themselves, which is never meant. */
const ADDED = /^(?:__macosx\/.*|(?:.*\/)?(?:\._[^/]*|\.ds_store|thumbs\.db|desktop\.ini))$/is;

/** The members that a glob matches, or whose names fit; those that a system added only if there are no others. */
export function matching<Member extends ArchiveMember>(
  members: readonly Member[],
  glob: string | ((name: string) => boolean),
): Member[] {
  const fits = typeof glob === "string" ? globPattern(glob) : glob;
  const found = members.filter(({ name }) => fits(name));
  const meant = found.filter(({ name }) => !ADDED.test(name));
  return meant.length > 0 || typeof glob !== "string" ? meant : found;
}

/** Some members' names, for a message. */
export function namesShown(members: readonly ArchiveMember[]): string {
  if (members.length === 0) return "The archive has no files.";
  const shown = members.slice(0, SHOWN_MAX).map(({ name }) => JSON.stringify(name.slice(0, 100)));
  return `The archive has ${members.length}: ${shown.join(", ")}${members.length > SHOWN_MAX ? " …" : ""}.`;
}

/** The failure for an archive of which a member must be chosen. */
export const unchosen = (what: string, members: readonly ArchiveMember[]): ReadFailure =>
  new ReadFailure("archive_member", `${what} ${namesShown(members)}`);

/**
 * Whether a name matches a glob: `*` is any run of characters, `?` a single one. Linear in the name and in the glob.
 */
export function globPattern(glob: string): (name: string) => boolean {
  return (name) => matches(name, glob) || matches(name.slice(name.lastIndexOf("/") + 1), glob);
}

/** Backtracks only to the last star, which is sufficient: an earlier star never needs to match more. */
function matches(name: string, glob: string): boolean {
  let [at, position, star, resume] = [0, 0, -1, 0];
  while (at < name.length) {
    if (glob[position] === "*") {
      star = position;
      resume = at;
      position += 1;
    } else if (position < glob.length && (glob[position] === "?" || glob[position] === name[at])) {
      at += 1;
      position += 1;
    } else if (star >= 0) {
      resume += 1;
      at = resume;
      position = star + 1;
    } else return false;
  }
  while (glob[position] === "*") position += 1;
  return position === glob.length;
}
