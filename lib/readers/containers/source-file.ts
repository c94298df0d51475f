import { stat, symlink } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { mismatch, ReadFailure } from "@/lib/readers/failure";
import { isParquet } from "@/lib/readers/parquet/footer";
import { isWorkbook } from "@/lib/readers/xlsx/workbook-kind";
import { FILE_FORMATS } from "@/lib/schemas/publish";
import { archiveKindOf, namesShown, openArchive } from "./archive";
import { BoundedCopy } from "./bounded-copy";
import { uncompressed } from "./containers";
import { refuseUnread } from "./unread-formats";

export type FileFormat = (typeof FILE_FORMATS)[number];

export interface SourceFile {
  /** The uncompressed file, under a name that says nothing. */
  path: string;
  format: FileFormat;
}

/**
 * Determines the format by name or declaration, and the compression by the file's first bytes; unpacks into `folder` if
 * needed.
 */
export async function openSource(file: string, declared: FileFormat | undefined, folder: string): Promise<SourceFile> {
  const name = basename(file);
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw mismatch(`${file} is not a readable file.`);
  if (found.size === 0) throw mismatch(`${name} is empty.`);
  try {
    const path = await plainFile(file, folder);
    await refuseArchive(path, name);
    await refuseUnread(path, name);
    const format = declared ?? formatOfName(file);
    if (format !== "parquet" && (await isParquet(path)))
      throw mismatch(`${name} is a Parquet file, not ${format}. Name it .parquet, or use --format parquet.`);
    return { path, format };
  } catch (error) {
    throw error instanceof ReadFailure && error.code === "archive_unsafe"
      ? new ReadFailure(error.code, `${name} cannot be read: ${error.message}`)
      : error;
  }
}

/**
 * The file itself or its uncompressed content. DuckDB would unpack a file by the end of its name, and take `*` or `[`
 * in it for a pattern, so it is read under another one.
 */
async function plainFile(file: string, folder: string): Promise<string> {
  const path = await uncompressed(file, new BoundedCopy(folder, { hasAnyRatio: true }));
  if (path !== file) {
    if ((await stat(path)).size === 0) throw mismatch(`${basename(file)} is empty.`);
    return path;
  }
  const link = join(folder, "source");
  await symlink(resolve(file), link);
  return link;
}

function formatOfName(file: string): FileFormat {
  const name = basename(file)
    .toLowerCase()
    .replace(/\.(gz|zst)$/, "");
  const ending = name.slice(name.lastIndexOf(".") + 1);
  const format = FILE_FORMATS.find((known) => known === ending) ?? (ending === "jsonl" ? "ndjson" : undefined);
  if (!format)
    throw mismatch(
      `Cannot infer the format of ${basename(file)} from its extension. Use .csv, .tsv, .json, .ndjson or .parquet ` +
        `(plain, .gz or .zst), or use --format.`,
    );
  return format;
}

async function refuseArchive(path: string, name: string): Promise<void> {
  const kind = await archiveKindOf(path);
  if (!kind) return;
  const archive = await openArchive(path, kind, Number.POSITIVE_INFINITY);
  archive.close();
  throw mismatch(
    isWorkbook(archive.members)
      ? `${name} is a workbook. Save its sheet as csv, or read it by a recipe.`
      : `${name} is a ${kind} archive. Unpack it and publish a file from it. ${namesShown(archive.members)}`,
  );
}
