import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Context } from "@/lib/access/context";
import { querySubject } from "@/lib/access/quotas";
import { writeDifference } from "@/lib/engine/run/difference";
import type { SealedVersion } from "@/lib/engine/run/sealed-version";
import { csvTable } from "@/lib/formats/csv-table";
import { failWith } from "@/lib/kernel/errors";
import { fileDigest } from "@/lib/kernel/file-digest";
import type { TableVersion } from "@/lib/store/datasets/tables";
import { generatedStream } from "./generated-stream";
import { sealedVersion } from "./read-version";

/** A file with every row that differs; it is removed when its stream is closed. */
export interface DifferenceFile {
  stream: Readable;
  /** For CSV, known only at the end. */
  sizeBytes?: number;
  /** Hex SHA-256; for CSV it follows the body. */
  digest?: string;
  trailers?: () => Readonly<Record<string, string>>;
}

/**
 * Writes the difference of two versions into a temporary file and opens it. Both versions' files are verified first.
 * The file is removed when its stream is closed, read or not; one that a killed process left is removed with the
 * folder's other leftovers.
 */
export async function differenceFile(
  from: TableVersion,
  to: TableVersion,
  { format, isCompressed }: { format: "csv" | "parquet"; isCompressed: boolean },
  ctx: Context,
): Promise<DifferenceFile> {
  const engine = await ctx.engine();
  const path = join(engine.options.copiesDir, `difference-${randomUUID()}.tmp`);
  const sealed = (version: TableVersion) => ({ ...sealedVersion(version), primaryKey: version.primaryKey });
  const caller = { subject: querySubject(ctx), signal: ctx.signal };
  try {
    const columns = await writeDifference(engine, sealed(from), sealed(to), path, caller);
    if (!columns) throw failWith([NOTHING_SHARED]);
    if (format === "parquet") return removedAtEnd(path, await parquetFile(path));
    const rows: SealedVersion = {
      ...sealedVersion(to),
      ...{ digest: randomUUID(), columns, orderBy: [], copyPath: "" },
      withParquet: (read) => read(path),
    };
    return removedAtEnd(path, generatedStream(csvTable(engine, rows, caller), isCompressed));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

const NOTHING_SHARED = {
  pointer: "?from",
  code: "invalid_value" as const,
  message: "The two versions share no column of the same name and type, so no rows can be compared.",
};

async function parquetFile(path: string): Promise<DifferenceFile> {
  const [digest, { size }] = await Promise.all([fileDigest(path), stat(path)]);
  return { stream: createReadStream(path), sizeBytes: size, digest };
}

function removedAtEnd(path: string, file: DifferenceFile): DifferenceFile {
  file.stream.once("close", () => void rm(path, { force: true }).catch(() => undefined));
  return file;
}
