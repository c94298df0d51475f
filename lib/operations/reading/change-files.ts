import { randomUUID } from "node:crypto";
import { rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "@/lib/access/context";
import { querySubject } from "@/lib/access/quotas";
import { FILE_TIMES } from "@/lib/engine/duckdb/write-parquet";
import { type Changes, writeChanges } from "@/lib/engine/run/changes";
import { env } from "@/lib/kernel/env";
import { Failure, fail } from "@/lib/kernel/errors";
import { formatPlural } from "@/lib/kernel/format";
import { processWide } from "@/lib/kernel/process-wide";
import type { TableVersion } from "@/lib/store/datasets/tables";
import { sealedVersion } from "./read-version";
import { SharedAnswers } from "./shared-answers";
import { withinSize } from "./view-rows";

/** A file of changes, which is removed once it is dropped and nobody reads it. */
interface ChangeFile {
  changes: Changes;
  path: string;
  bytes: number;
  users: number;
  isDropped: boolean;
}

/** Changes that timed out are not computed again for the next caller. */
const TIMEOUT_CACHED_MS = 5 * 60_000;
const MIB = 1024 * 1024;
const ATTEMPTS = 2;

const changeFiles = () =>
  processWide("change-files", () => {
    const kept = {
      sizeOf: ({ bytes }: ChangeFile) => bytes,
      dropped: (file: ChangeFile) => {
        file.isDropped = true;
        removeUnused(file);
      },
    };
    return new SharedAnswers<ChangeFile>(env().QUERY_TEMP_MB * MIB, TIMEOUT_CACHED_MS, kept);
  });

/**
 * Runs `read` on all changes between two versions. They are computed once, with both files verified first, and kept in
 * a temporary file for the pages that follow, as long as all such files fit in the space for temporary files. A file
 * that is gone is written again: it has the same changes in the same order.
 */
export async function withChanges<T>(
  since: TableVersion,
  until: TableVersion,
  ctx: Context,
  read: (changes: Changes) => Promise<T>,
): Promise<T> {
  const name = `${since.versionId} ${until.versionId}`;
  for (let attempt = 1; ; attempt += 1) {
    const file = await changeFiles().get(name, (signal) => write(since, until, signal, ctx), ctx.signal);
    file.users += 1;
    try {
      if ((await touch(file.path)) || attempt === ATTEMPTS) return await read(file.changes);
      changeFiles().drop(name);
    } finally {
      file.users -= 1;
      if (file.isDropped) removeUnused(file);
    }
  }
}

async function write(since: TableVersion, until: TableVersion, signal: AbortSignal, ctx: Context): Promise<ChangeFile> {
  const engine = await ctx.engine();
  const id = randomUUID();
  const path = join(engine.options.copiesDir, `changes-${id}.tmp`);
  const sealed = (version: TableVersion) => ({ ...sealedVersion(version), primaryKey: version.primaryKey });
  try {
    const caller = { subject: querySubject(ctx), signal };
    const changes = await withinSize(path, caller, (watched) =>
      writeChanges(engine, sealed(since), sealed(until), { path, id }, watched),
    );
    return { changes, path, bytes: (await stat(path)).size, users: 0, isDropped: false };
  } catch (error) {
    await rm(path, { force: true });
    throw error instanceof Failure && error.code === "query_timeout" ? tooLong(engine.options.timeoutMs, error) : error;
  }
}

function tooLong(timeoutMs: number, cause: Failure): Failure {
  const most = formatPlural((timeoutMs * FILE_TIMES) / 1000, "second");
  const message = `Computing these changes takes more than ${most}. Download the whole table instead.`;
  return fail("query_timeout", { message, cause });
}

/** What has not been touched for an hour is removed from the folder as a leftover. False if that has happened. */
const touch = (path: string): Promise<boolean> =>
  utimes(path, new Date(), new Date()).then(
    () => true,
    () => false,
  );

function removeUnused({ path, users }: ChangeFile): void {
  if (users === 0) void rm(path, { force: true }).catch(() => undefined);
}
