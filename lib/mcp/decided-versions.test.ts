import { expect, test } from "vitest";
import { decideRun } from "@/lib/operations/approvals/approve-run";
import { activateDataset } from "@/lib/operations/datasets/activate-dataset";
import { updateDataset } from "@/lib/operations/datasets/own-datasets";
import { listReleases } from "@/lib/operations/releases/list-releases";
import { withdrawOwnVersion } from "@/lib/operations/releases/withdraw-own-version";
import { queryRun, queryRunInBrowser } from "@/lib/operations/runs/query-run";
import { database } from "@/lib/store/postgres/database";
import { useOffice } from "@/lib/testing/office";
import { call as callOverHttp, sessionCookie } from "@/lib/testing/signed-in";

const rig = await useOffice();
const { call, office, recipe, register, sample, rest } = rig;
const FILE = office.file;

const person = async () => ({ cookie: await sessionCookie(rig.builder.userId) });
const pathOf = (dataset: string) => ({ workspace_id: rig.builder.workspaceId, dataset });

/** Seals and promotes what the source has now; the id of the version. */
async function released(dataset: string): Promise<string> {
  const { run_id, result } = await sample(dataset);
  await call("approve_full_run", { run_id, recipe_digest: result.recipe_digest });
  await rest(run_id);
  return (await call("promote_table", { dataset })).receipts[0].version_id;
}

/** A private dataset with two versions, the second of which an agent made current. */
async function twoVersions(title: string) {
  const dataset = await register(title, recipe());
  const first = await released(dataset);
  office.file = `${FILE}C;3\n`;
  const second = await released(dataset);
  office.file = FILE;
  expect(second).not.toBe(first);
  return { dataset, first, second };
}

test("publishing and activating fail if other versions are current than the owner saw", async () => {
  const { dataset, first, second } = await twoVersions("Seen before");
  const own = await person();
  const seen = { expected_current: [first] };
  const publish = await callOverHttp(updateDataset, pathOf(dataset), own, { ...seen, visibility: "public" });
  const activate = await callOverHttp(activateDataset, pathOf(dataset), own, seen);
  for (const { status, body } of [publish, activate])
    expect([status, body.message]).toEqual([409, expect.stringContaining("Look at what is current now")]);
  const found = await call("get_my_dataset", { dataset });
  expect([found.dataset.visibility, found.tables[0].hosted]).toEqual(["private", null]);
  const now = { expected_current: [second] };
  expect((await callOverHttp(activateDataset, pathOf(dataset), own, now)).status).toBe(200);
  const published = await callOverHttp(updateDataset, pathOf(dataset), own, { ...now, visibility: "public" });
  expect([published.status, published.body.changed]).toEqual([200, ["visibility"]]);
});

test("a change of texts and of who reads the dataset happens as a whole or not at all", async () => {
  const { dataset, first } = await twoVersions("As a whole");
  const own = await person();
  const texts = { title: "Another title", expected_current: [first] };
  for (const body of [texts, { ...texts, visibility: "public" }])
    expect((await callOverHttp(updateDataset, pathOf(dataset), own, body)).status).toBe(409);
  expect((await call("get_my_dataset", { dataset })).dataset.title).toBe("As a whole");
});

test("a withdrawal names the version that becomes current again, and does nothing if that is another", async () => {
  const { dataset, first, second } = await twoVersions("Followed by");
  const own = await person();
  const path = { ...pathOf(dataset), version_id: second };
  const listed = await callOverHttp(listReleases, pathOf(dataset), own);
  expect(listed.body.tables[0]).toMatchObject({
    previous: first,
    releases: [{ version_id: second, current: true }, {}],
  });
  const reason = "Two districts were swapped";
  const other = await callOverHttp(withdrawOwnVersion, path, own, { reason, expected_current: null });
  expect([other.status, other.body.message]).toEqual([409, expect.stringContaining(first)]);
  const done = await callOverHttp(withdrawOwnVersion, path, own, { reason, expected_current: first });
  expect([done.status, done.body.current_version_id]).toEqual([200, first]);
  // nor is it read as what its run made
  const { slug, releases } = listed.body.tables[0];
  const body = { columns: [], aggregates: [{ function: "count", as: "n" }] };
  const read = async (release: { run_id: string }, more: object = {}) => {
    const made = { workspace_id: path.workspace_id, run_id: release.run_id, table: slug };
    const ways = [queryRun, queryRunInBrowser].map((op) => callOverHttp(op, made, own, { ...body, ...more }));
    return (await Promise.all(ways)).map(({ status }) => status);
  };
  expect(await read(releases[0])).toEqual([410, 410]);
  expect(await read(releases[1])).toEqual([200, 200]);
  expect(await read(releases[1], { version_id: first })).toEqual([400, 400]);
  expect((await callOverHttp(listReleases, pathOf(dataset), own)).body.tables[0].previous).toBeNull();
});

test("an approval of a publication that then fails stays open", async () => {
  const { dataset, first } = await twoVersions("Not half");
  await call("promote_table", { dataset, visibility: "public", version_id: first, roll_back: true });
  const { run_id, recipe_digest } = await openQuestion(dataset);
  const { prisma } = await database();
  await prisma.version.update({ where: { id: first }, data: { withdrawnAt: new Date(), withdrawnReason: "wrong" } });
  const path = { workspace_id: rig.builder.workspaceId, run_id };
  const decision = { decision: "approve", recipe_digest };
  expect((await callOverHttp(decideRun, path, await person(), decision)).status).toBe(410);
  expect(await openQuestion(dataset)).toEqual({ run_id, recipe_digest });
  expect((await call("get_my_dataset", { dataset })).dataset.visibility).toBe("private");
});

/** The request to publish that nobody has decided. */
async function openQuestion(dataset: string): Promise<{ run_id: string; recipe_digest: string }> {
  const { prisma } = await database();
  const where = { run: { dataset: { slug: dataset } }, kind: "publish" as const, state: "asked" as const };
  const { runId, recipeDigest } = await prisma.approval.findFirstOrThrow({ where });
  return { run_id: runId, recipe_digest: recipeDigest };
}
