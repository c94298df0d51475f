import { afterAll, beforeAll, expect, test } from "vitest";
import { saveView } from "@/lib/operations/account/saved-views";
import { createWatch } from "@/lib/operations/workspace/watches";
import { database } from "@/lib/store/postgres/database";
import { useKillableState, WorkerProcess } from "@/lib/testing/killable-service";
import { propertyParameters, trialRuns } from "@/lib/testing/property";
import { publishText } from "@/lib/testing/publish-text";
import { numbersFrom } from "@/lib/testing/seeded-numbers";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { startSource } from "@/lib/testing/source-server";
import { newWorkspace } from "@/lib/testing/workspace";

const KILLS = trialRuns("VIEW_KILLS", 2);
/** Round trips to the database, at most, between the start of a look and the kill. */
const MOST_WAITS = 60;
/** Of a worker that hangs. */
const END_MS = 240_000;

const receiver = await startSource();
const settings = { SOURCE_PRIVATE_HOSTS: new URL(receiver.origin).host };
useKillableState(() => settings);
let worker: WorkerProcess;

beforeAll(() => {
  worker = new WorkerProcess(settings);
});
afterAll(async () => {
  await worker?.stop();
  await receiver.close();
});

const TABLE = "watched";
const VIEWS = {
  "/total": { query: "agg=sum:n:total" },
  "/groups": { query: "group=place&agg=sum:n:total" },
  "/threshold": { query: "agg=sum:n:total", threshold: { column: "total", is: "above", value: "1000" } },
  "/same": { query: "agg=count::rows" }, // which is the same in every version
};

/** The table of a version: its total is above 1,000 in every other one, from the second on. */
const csvOf = (version: number): string =>
  `place,n\nA,${version}\nB,${version % 2 === 0 ? 2000 : 0}\nC,${version % 3}\n`;

/** The message that arrived first under each id, for each watch, in the order of arrival. */
function messages(path: string) {
  const own = receiver.asked.filter(({ url }) => url === path);
  const bodies = Map.groupBy(own, ({ headers }) => String(headers["webhook-id"]));
  return [...bodies.values()].map((attempts) => {
    expect(new Set(attempts.map(({ body }) => body)).size).toBe(1); // the same bytes at every attempt
    const { type, data } = JSON.parse(attempts[0]?.body ?? "");
    return { type, from: data.before.id, to: data.after.id, isMet: data.threshold?.is_met };
  });
}

test("a worker killed at any moment of a look or a delivery loses no message and tells none twice", async () => {
  const draw = numbersFrom(propertyParameters(1).seed);
  const { pool } = await database();
  const { workspaceId, userId } = await newWorkspace();
  const session = { cookie: await sessionCookie(userId) };
  const { table_id, version_id } = await publishText(TABLE, csvOf(1));
  for (const [path, { query, ...more }] of Object.entries(VIEWS)) {
    const { view } = (await call(saveView, {}, session, { table_id, query })).body;
    const body = { channel: "webhook", url: `${receiver.origin}${path}`, view: view.id, ...more };
    expect((await call(createWatch, { workspace_id: workspaceId }, session, body)).status).toBe(201);
  }
  const state = async () => {
    const { rows } = await pool.query<{ behind: number; held: number; waiting: number }>(
      `SELECT count(*) FILTER (WHERE r."versionId" IS DISTINCT FROM t."currentVersionId")::int AS behind,
         count(*) FILTER (WHERE r."heldUntil" > now())::int AS held,
         (SELECT count(*)::int FROM "WatchDelivery" WHERE state = 'waiting') AS waiting
       FROM "WatchedResult" r, "Table" t WHERE t.id = $1::uuid`,
      [table_id],
    );
    return rows[0] ?? { behind: 0, held: 0, waiting: 0 };
  };
  /** As if the minutes for which the killed worker held its turns were over. */
  const endLeases = async () => {
    await pool.query(`UPDATE "WatchedResult" SET "heldUntil" = NULL`);
    await pool.query(`UPDATE "DeliveryTurn" SET "heldUntil" = NULL`);
  };
  const versions = [version_id];
  for (let kill = 0; kill < KILLS; kill += 1) {
    let [isDelivering, seen] = [draw() < 0.5, 0];
    const nth = Math.floor(draw() * 4);
    const repliesFirst = draw() < 0.5;
    const arrived = new Promise<void>((resolve) =>
      receiver.answer((_request, reply) => {
        if (!isDelivering || seen++ !== nth % 2) return void reply.writeHead(204).end();
        if (repliesFirst) reply.writeHead(204).end();
        isDelivering = false;
        worker.kill();
        resolve();
      }),
    );
    versions.push((await publishText(TABLE, csvOf(versions.length + 1))).version_id);
    if (isDelivering) await arrived;
    else {
      await expect.poll(async () => (await state()).behind < 4 || (await state()).held > 0).toBe(true);
      for (let waits = Math.floor(draw() * MOST_WAITS); waits > 0; waits -= 1) await state();
      worker.kill();
    }
    await endLeases();
    await expect.poll(state, { timeout: END_MS }).toEqual({ behind: 0, held: 0, waiting: 0 });
  }
  const steps = versions.slice(1).map((to, at) => ({ type: "view_changed", from: versions[at], to }));
  expect(messages("/total")).toEqual(steps);
  expect(messages("/groups")).toEqual(steps);
  expect(messages("/threshold")).toEqual(steps.map((step, at) => ({ ...step, isMet: at % 2 === 0 })));
  expect(messages("/same")).toEqual([]);
  const deliveries = await pool.query(`SELECT count(*)::int AS number FROM "WatchDelivery"`);
  expect(deliveries.rows).toEqual([{ number: 3 * KILLS }]);
});
