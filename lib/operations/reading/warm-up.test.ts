import { existsSync, rmSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { createKey } from "@/lib/access/use-keys";
import { copiesDir, copyPath } from "@/lib/storage/paths";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { setVisibility } from "@/lib/store/datasets/visibility";
import { flushUsage, recordUse } from "@/lib/store/usage/usage-buffer";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { newWorkspace } from "@/lib/testing/workspace";
import { closeReadingEngine } from "./reading-engine";
import { warmUp } from "./warm-up";

useTestState();
afterAll(closeReadingEngine);

const errors: unknown[] = [];
const warm = (tables: number, signal = new AbortController().signal) =>
  warmUp({ tables, signal, onError: (error) => errors.push(error) });

/** A table that was queried this often, this many days ago; whether it has a read copy. */
async function read(slug: string, queries: number, daysAgo = 0) {
  const { table_id: tableId, content_digest } = await publishText(slug, `id,word\n1,${slug}\n`);
  const { workspaceId, userId } = await newWorkspace();
  const { id: keyId } = await createKey(
    { kind: "use", name: "k", workspaceId, userId, expiresAt: null },
    ADMINISTRATOR,
  );
  const day = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  recordUse({ day, workspaceId, keyId, tableId, queries, downloads: 0, rows: 0, bytes: 0 }, (error) => {
    throw error;
  });
  await flushUsage();
  return { workspaceId, isCopied: () => existsSync(copyPath(content_digest.replace("sha256:", ""))) };
}

test("the tables that were read most in the last week have read copies, unless they are withdrawn", async () => {
  const often = await read("often", 50);
  const own = await read("of-a-workspace", 40);
  const withdrawn = await read("withdrawn", 60);
  const old = await read("long-ago", 1_000, 30);
  const seldom = await read("seldom", 1);
  for (const slug of ["withdrawn", "of-a-workspace"])
    await setVisibility(slug, { to: "withdrawn", by: { caller: "operator" } }, ADMINISTRATOR);
  await setVisibility(
    "of-a-workspace",
    { to: "private", workspaceId: own.workspaceId, by: { caller: "operator" } },
    ADMINISTRATOR,
  );
  const copied = () => [often, own, withdrawn, old, seldom].map(({ isCopied }) => isCopied());
  rmSync(copiesDir(), { recursive: true }); // publishing made them
  await warm(0);
  await warm(3, AbortSignal.abort());
  expect([errors, copied()]).toEqual([[], [false, false, false, false, false]]);
  await warm(3);
  expect([errors, copied()]).toEqual([[], [true, true, false, false, false]]);
});
