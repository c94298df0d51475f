import "server-only";
import { readSchema, readVersions } from "@/app/catalogue";
import type { FoundTable } from "@/app/datasets/[slug]/[table]/find-table";
import { namedVersion, type RefusedVersion } from "@/app/named-version";
import type { Context } from "@/lib/access/context";
import { formatDay } from "@/lib/kernel/format";
import type { Versions } from "@/lib/schemas/table";
import type { DownloadChoice } from "@/lib/view/view-address";

type Chosen = Pick<DownloadChoice, "version" | "from" | "to">;
export type Side = Versions["versions"][number];
type FileVersion = Pick<Side, "content_digest" | "published_at" | "rows" | "bytes"> & { id: string; words: string };

/** The file that the URL names, and the two versions if it names their differences. */
export async function readChosen(
  { table, ctx }: FoundTable,
  { version, from, to }: Chosen,
): Promise<{ version: FileVersion; sides?: { from: Side; to: Side } } | RefusedVersion> {
  const file = await readFile(table, version, ctx);
  if ("status" in file || (from === undefined && to === undefined)) return "status" in file ? file : { version: file };
  const before = await readSide(table.tableId, from, "?from", ctx);
  const after = await readSide(table.tableId, to, "?to", ctx);
  if ("status" in before) return before;
  return "status" in after ? after : { version: file, sides: { from: before, to: after } };
}

/** The version that the URL names, else the current one. */
async function readFile(
  { tableId }: FoundTable["table"],
  older: string | undefined,
  ctx: Context,
): Promise<FileVersion | RefusedVersion> {
  if (older === undefined) {
    const { table } = await readSchema(tableId, ctx);
    return { ...table, id: table.version_id, words: "the current version" };
  }
  const found = await readSide(tableId, older, "?version", ctx);
  if ("status" in found) return found;
  return { ...found, id: found.version_id, words: `version ${found.label ?? `of ${formatDay(found.published_at)}`}` };
}

async function readSide(
  tableId: string,
  name: string | undefined,
  pointer: `?${string}`,
  ctx: Context,
): Promise<Side | RefusedVersion> {
  const id = await namedVersion(tableId, name, pointer, ctx);
  if (typeof id === "object") return id;
  const { versions } = await readVersions(tableId, ctx);
  return (
    versions.find(({ version_id }) => version_id === id) ?? {
      message: `Version missing. Send ${pointer.slice(1)}, the UUID, label or number of a version.`,
      status: 400,
    }
  );
}
