import { rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sha256Hex } from "@/lib/kernel/sha256";
import { database } from "@/lib/store/postgres/database";
import { snapshotFile } from "@/lib/testing/blob-file";
import { useOffice } from "@/lib/testing/office";

const { office, call, recipe, register, sample, rest } = await useOffice();

async function refreshed(dataset: string) {
  office.answered = [];
  const { prisma } = await database();
  // otherwise the call would return the previous run
  await prisma.run.updateMany({ data: { createdAt: new Date(Date.now() - 60_000) } });
  return rest((await call("start_run", { dataset })).run_id);
}

test("a source is asked for all of its bytes if those of its last read are lost or damaged", async () => {
  office.etag = '"1"';
  const dataset = await register("Levels", recipe());
  const { run_id, result } = await sample(dataset);
  await call("approve_full_run", { run_id, recipe_digest: result.recipe_digest });
  expect(await rest(run_id)).toMatchObject({ state: "sealed" });
  await call("promote_table", { dataset });

  expect(await refreshed(dataset)).toMatchObject({ state: "sealed", outcome: "unchanged" });
  expect(office.answered).toEqual([['"1"', 304]]);

  const file = snapshotFile(sha256Hex(office.file));
  rmSync(file); // as after a restore of a backup that did not contain it
  expect(await refreshed(dataset)).toMatchObject({ state: "sealed", outcome: "unchanged" });
  expect(office.answered).toEqual([[undefined, 200]]);

  writeFileSync(file, "something else");
  expect(await refreshed(dataset)).toMatchObject({ state: "sealed", outcome: "unchanged" });
  expect(office.answered).toEqual([
    ['"1"', 304],
    [undefined, 200],
  ]);
});

test("bytes that only another workspace still kept count with their size once a read reports no change", async () => {
  office.etag = '"1"';
  const dataset = await register("Shared levels", recipe());
  const { run_id, result } = await sample(dataset);
  await call("approve_full_run", { run_id, recipe_digest: result.recipe_digest });
  await rest(run_id);
  const { prisma } = await database();
  const where = { digest: sha256Hex(office.file) };
  await prisma.sourceSnapshot.deleteMany({ where });
  expect(await refreshed(dataset)).toMatchObject({ state: "sealed" });
  expect(office.answered).toEqual([['"1"', 304]]);
  expect(await prisma.sourceSnapshot.findMany({ where, select: { bytes: true } })).toEqual([
    { bytes: BigInt(office.file.length) },
  ]);
});
