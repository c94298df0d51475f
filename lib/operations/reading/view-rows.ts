import { randomUUID } from "node:crypto";
import { rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Engine } from "@/lib/engine/duckdb/engine";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import type { GroupsPlan, RowsPlan } from "@/lib/engine/plan/planned";
import { resultColumns } from "@/lib/engine/plan/result-columns";
import { countRows, findLongText, wholePlan } from "@/lib/engine/run/iterate-rows";
import { planQuery } from "@/lib/engine/run/plan-query";
import { writeGroups } from "@/lib/engine/run/write-groups";
import type { RowFile } from "@/lib/formats/row-files";
import type { RowSource } from "@/lib/formats/row-source";
import { longText } from "@/lib/formats/sheet-xml";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { formatBytes, formatCount } from "@/lib/kernel/format";
import { hmacKey } from "@/lib/storage/secret";
import type { TableVersion } from "@/lib/store/datasets/tables";
import { sealedVersions } from "./read-version";

/** A view of a version: its query, and the most rows or groups that it asks for. */
export interface ChosenView {
  version: TableVersion;
  /** The versions in which columns are looked up. */
  lookups: readonly TableVersion[];
  query: QueryBody;
  rowsMax: number | undefined;
  /** The query as it was sent. */
  text: string;
}

/** The rows of a view; `release` removes the file that its groups were written to. */
export interface ViewRows extends Omit<RowSource, "about"> {
  release(): void;
}

/**
 * All rows of a view. They are read by one iteration over the version, piece by piece; groups are first written to a
 * temporary file, in one statement. A file that a killed process left is removed with the folder's other leftovers.
 */
export async function openViewRows(view: ChosenView, engine: Engine, caller: RowSource["caller"]): Promise<ViewRows> {
  const rows = await countView(view, engine, caller);
  if (rows) return { ...rows, release: () => undefined };
  const sealed = sealedVersions(view.version, view.lookups);
  const { plan } = planQuery(sealed, view.query, hmacKey("cursors"));
  return await openGroups(engine, sealed, plan as GroupsPlan, view.rowsMax, caller);
}

/** The same without reading them; undefined for groups, whose number is known only once they are computed. */
export async function countView(
  { version, lookups, query, rowsMax }: ChosenView,
  engine: Engine,
  caller: RowSource["caller"],
): Promise<Omit<ViewRows, "release"> | undefined> {
  const sealed = sealedVersions(version, lookups);
  const { plan } = planQuery(sealed, query, hmacKey("cursors"));
  if (plan.kind === "groups") return undefined;
  const iteration = { plan: plan as RowsPlan, rowsMax };
  const rows = await countRows(engine, sealed, iteration, caller);
  return { engine, version: sealed, iteration, columns: resultColumns(plan, sealed.columns), rows, caller };
}

async function openGroups(
  engine: Engine,
  version: RowSource["version"],
  plan: GroupsPlan,
  rowsMax: number | undefined,
  caller: RowSource["caller"],
): Promise<ViewRows> {
  const id = randomUUID();
  const path = join(engine.options.copiesDir, `groups-${id}.tmp`);
  const release = () => void rm(path, { force: true }).catch(() => undefined);
  try {
    const written = await withinSize(path, caller, (watched) =>
      writeGroups(engine, version, plan, { path, id, rowsMax }, watched),
    );
    const groups: RowSource["version"] = {
      ...written,
      // what has not been touched for an hour is removed from the folder as a leftover
      withParquet: async (read) => {
        await utimes(path, new Date(), new Date());
        return await written.withParquet(read);
      },
    };
    const iteration = { plan: wholePlan(groups) };
    return { engine, version: groups, iteration, columns: groups.columns, rows: groups.rows, caller, release };
  } catch (error) {
    release();
    throw error;
  }
}

const WATCHED_MS = 250;

/** Stops what writes a file once it is larger than any file that may be downloaded. */
export async function withinSize<T>(
  path: string,
  caller: RowSource["caller"],
  write: (caller: RowSource["caller"]) => Promise<T>,
): Promise<T> {
  const bytesMax = env().ARTIFACT_BYTES;
  const over = new AbortController();
  const look = async () => {
    const { size } = await stat(path);
    if (size > bytesMax) over.abort(tooLarge(size, bytesMax));
  };
  const watching = setInterval(() => void look().catch(() => undefined), WATCHED_MS);
  const signals = [...(caller.signal ? [caller.signal] : []), over.signal];
  try {
    return await write({ ...caller, signal: AbortSignal.any(signals) });
  } finally {
    clearInterval(watching);
  }
}

/** Rejects rows that a format cannot hold, with what to do instead. */
export async function requireHeld(
  { format: { label }, rowsMax = Infinity, cellsMax = Infinity, textMax }: RowFile,
  { engine, version, iteration, columns, rows, caller }: Omit<ViewRows, "release">,
): Promise<void> {
  const fix = "Filter the rows, or choose CSV or Parquet.";
  const cells = rows * columns.length;
  if (rows > rowsMax) {
    const message = `Too many rows for ${label}: ${formatCount(rows)} (maximum ${formatCount(rowsMax)}).`;
    throw fail("result_too_large", { message, fix });
  }
  if (cells > cellsMax) {
    const message = `Too many cells for ${label}: ${formatCount(cells)} (maximum ${formatCount(cellsMax)}).`;
    throw fail("result_too_large", { message, fix: "Omit columns, filter the rows, or choose CSV or Parquet." });
  }
  const long = textMax === undefined ? undefined : await findLongText(engine, version, iteration, textMax, caller);
  if (long) throw longText(long.column, long.units);
}

/**
 * The chunks of a file that is still being written, once the first rows of it are: what the engine rejects, and a file
 * that will be too large to be downloaded, is rejected before its first byte is sent. One that is too large all the
 * same breaks off.
 */
export async function startFile({ write }: RowFile, source: RowSource): Promise<AsyncGenerator<Buffer>> {
  const bytesMax = env().ARTIFACT_BYTES;
  let [rows, bytes] = [0, 0];
  const onPiece = (read: number) => {
    rows += read;
  };
  const chunks = write({ ...source, iteration: { ...source.iteration, onPiece } });
  const first: Buffer[] = [];
  while (rows === 0 || bytes === 0) {
    const { done, value } = await chunks.next();
    if (done) break;
    first.push(value);
    bytes += value.byteLength;
  }
  const expected = rows === 0 ? bytes : (bytes / rows) * source.rows;
  if (expected > bytesMax) {
    await chunks.return(undefined);
    throw tooLarge(expected, bytesMax);
  }
  return rest();

  async function* rest(): AsyncGenerator<Buffer> {
    try {
      yield* first.splice(0);
      for await (const chunk of chunks) {
        bytes += chunk.byteLength;
        if (bytes > bytesMax) throw tooLarge(bytes, bytesMax);
        yield chunk;
      }
      if (rows !== source.rows) throw new Error(`The file has ${rows} rows instead of ${source.rows}`);
    } finally {
      await chunks.return(undefined);
    }
  }
}

const tooLarge = (bytes: number, most: number) =>
  fail("artifact_too_large", {
    message: `The file would have about ${formatBytes(bytes)} (maximum ${formatBytes(most)}).`,
    fix: "Filter the rows, omit columns, or query the table page by page.",
  });
