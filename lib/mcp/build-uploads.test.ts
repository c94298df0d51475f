import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { execute } from "@/lib/operations/execute";
import { deleteUpload, storeUpload } from "@/lib/operations/sources/uploads";
import { listDigests } from "@/lib/store/datasets/versions";
import { database } from "@/lib/store/postgres/database";
import { dropUnreadUploads, findUpload } from "@/lib/store/sources/uploads";
import { type LevelsRecipe, useOffice } from "@/lib/testing/office";
import { ownerOf } from "@/lib/testing/owner";
import { newWorkspace } from "@/lib/testing/workspace";
import { runUpkeep } from "@/lib/worker/upkeep";

const place = await useOffice();
const { call, recipe, register, sample, rest } = place;

const FIRST = "gauge;level\nA;1\nB;2\n";
const SECOND = "gauge;level\nA;1\nB;5\nC;7\n";
const DAY_MS = 86_400_000;

/** The upkeep after so many days. The client's credential lasts longer: expired ones are deleted. */
async function keepUpAfter(days: number): Promise<void> {
  const { prisma } = await database();
  await prisma.oAuthToken.updateMany({ data: { expiresAt: new Date(Date.now() + 1000 * DAY_MS) } });
  await runUpkeep(new Date(Date.now() + days * DAY_MS));
}

async function upload(name: string, text: string, of: { workspaceId: string; userId: string } = place.builder) {
  const body = {
    chunks: Readable.from([Buffer.from(text)]),
    ...{ declaredBytes: undefined, declaredDigest: undefined, mediaType: "text/csv" },
  };
  const path = { workspace_id: of.workspaceId, name };
  const stored = await execute(storeUpload, { path, query: { file_name: `${name}.csv` }, body }, ownerOf(of.userId));
  if (!stored.upload) throw new Error("A whole file is stored at once");
  return { upload: stored.upload };
}

const fromUpload =
  (more: object = {}) =>
  (document: LevelsRecipe) => {
    const [source] = document.sources;
    Object.assign(document, {
      sources: [{ name: "office", kind: "upload", upload: "levels", reader: source?.reader, ...more }],
    });
  };

test("a dataset is built from an upload, refreshed by the next one, and repeated from its own bytes", async () => {
  const { upload: stored } = await upload("levels", FIRST);
  const inspected = await call("start_source_inspection", {
    ...{ source: { kind: "upload", upload: "levels" }, wait_ms: 20_000 },
  });
  expect(inspected).toMatchObject({
    state: "done",
    transport: { bytes: FIRST.length, bytes_read: FIRST.length, final_url: null },
    rows: { count: 2 },
    source: { kind: "upload", upload: "levels", reader: { format: "csv", options: { delimiter: ";" } } },
  });
  const dataset = await register("Uploaded", recipe(fromUpload()));
  const { run_id, result } = await sample(dataset);
  await call("approve_full_run", { run_id, recipe_digest: result.recipe_digest });
  const first = await rest(run_id);
  expect(first).toMatchObject({ state: "sealed", result: { tables: [{ rows: 2 }] } });
  await call("promote_table", { dataset });
  await upload("levels", SECOND);
  const refreshed = await rest((await call("start_run", { dataset })).run_id);
  expect(refreshed).toMatchObject({ kind: "refresh", outcome: "released", result: { tables: [{ rows: 3 }] } });
  const unchanged = await rest((await call("start_run", { dataset })).run_id);
  expect(unchanged).toMatchObject({ outcome: "unchanged" });
  const replayed = await rest((await call("replay_run", { run_id })).run_id);
  expect(replayed).toMatchObject({ result: { reproduces: [{ verdict: "same_bytes" }] } });
  const { prisma } = await database();
  const reads = await prisma.sourceObservation.findMany({
    where: { dataset: { slug: dataset } },
    orderBy: { at: "asc" },
    select: { how: true, changed: true },
  });
  expect(reads).toEqual([
    { how: "first", changed: true },
    { how: "same_bytes", changed: false },
    { how: "new_rows", changed: true },
    { how: "same_bytes", changed: false },
  ]);
  // one that a run read is kept until somebody deletes it; after that, a repeated run says what is gone
  await keepUpAfter(400);
  const [workspace_id, digest] = [place.builder.workspaceId, stored.content_digest];
  expect(await findUpload(workspace_id, "levels", digest.slice(7))).toBeDefined();
  const path = { workspace_id, name: "levels" };
  await execute(deleteUpload, { path, query: { digest } }, ownerOf(place.builder.userId));
  await expect(call("replay_run", { run_id })).rejects.toThrow(/bytes of office of .* are gone/);
});

test("a recipe that names a digest reads that file, whatever was stored later", async () => {
  const { upload: stored } = await upload("levels", FIRST);
  await upload("levels", SECOND);
  const dataset = await register("Pinned", recipe(fromUpload({ digest: stored.content_digest })));
  expect(await sample(dataset)).toMatchObject({ result: { tables: [{ rows: 2 }] } });
});

test("an upload of another workspace is reported like one that never existed", async () => {
  const other = await newWorkspace();
  const { prisma } = await database();
  await prisma.workspace.update({ where: { id: other.workspaceId }, data: { plan: "paid" } });
  const { upload: foreign } = await upload("theirs", SECOND, other);
  for (const [upload, digest] of [
    ["theirs", undefined],
    ["theirs", foreign.content_digest],
    ["never", undefined],
  ]) {
    const source = { kind: "upload", upload, ...(digest && { digest }) };
    await expect(call("start_source_inspection", { source })).rejects.toThrow(/not_found.*Unknown upload/);
    const dataset = await register(`Foreign ${upload} ${digest?.slice(0, 9)}`, recipe(fromUpload({ upload, digest })));
    expect(await sample(dataset)).toMatchObject({
      state: "failed",
      failure: { code: "upload_missing", message: expect.stringContaining("no upload") },
    });
  }
  const mine = { workspace_id: place.builder.workspaceId, name: "theirs" };
  const who = ownerOf(place.builder.userId);
  await expect(execute(deleteUpload, { path: mine, query: {} }, who)).rejects.toThrow(/Unknown upload: theirs/);
});

test("an upload that no run has read expires, and its bytes are deleted with it", async () => {
  const { upload: stored } = await upload("unread", "a;b\n1;2\n");
  const digest = stored.content_digest.slice(7);
  await keepUpAfter(29);
  expect((await listDigests()).map((blob) => blob.digest)).toContain(digest);
  await keepUpAfter(31);
  expect((await listDigests()).map((blob) => blob.digest)).not.toContain(digest);
  expect(await findUpload(place.builder.workspaceId, "unread")).toBeUndefined();
  expect(await dropUnreadUploads(new Date(0))).toEqual([]);
});

test("a dataset that reads an upload is due as soon as the next file with that name is stored", async () => {
  const dataset = await register("Woken", recipe(fromUpload({ upload: "woken" })));
  const { prisma } = await database();
  const { id: revisionId, datasetId } = await prisma.recipeRevision.findFirstOrThrow({
    where: { dataset: { slug: dataset } },
  });
  await prisma.schedule.create({ data: { datasetId, revisionId, spec: {}, uploads: ["woken"], pausedAt: new Date() } });
  const wokenBy = async () => (await prisma.schedule.findUniqueOrThrow({ where: { datasetId } })).wakeBy;
  await upload("sleeping", FIRST);
  expect(await wokenBy()).toBeNull();
  await upload("woken", FIRST);
  expect(await wokenBy()).toBe("upload");
});
