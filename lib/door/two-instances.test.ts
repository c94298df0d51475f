import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKey } from "@/lib/access/use-keys";
import { keySubject } from "@/lib/limits/subject";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { setVisibility } from "@/lib/store/datasets/visibility";
import { turnMaintenanceOff, turnMaintenanceOn } from "@/lib/store/maintenance";
import { revokeKey } from "@/lib/store/people/keys";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { startInstance } from "@/lib/testing/instance";
import { WorkerProcess } from "@/lib/testing/killable-service";
import { ObjectStoreServer, objectStoreProgram } from "@/lib/testing/object-store";
import { publishText } from "@/lib/testing/publish-text";
import { useSecondInstance } from "@/lib/testing/second-instance";
import { hostedRelease } from "@/lib/testing/stored-release";
import { publishTwoRows } from "@/lib/testing/two-rows";
import { type Ask, patient, UPLOADED, UPLOADED_ROWS, UploadingBuilder } from "@/lib/testing/uploading-builder";
import { newWorkspace } from "@/lib/testing/workspace";

const PER_DAY = 100_000;
const LIMITS = {
  ...{ LIMIT_KEY_MINUTE: String(PER_DAY), LIMIT_KEY_DAY: String(PER_DAY) },
  LIMIT_FRESHNESS_MINUTE: String(PER_DAY),
};
const SECRET = "test-secret-test-secret-test-secret!";

/** Where both instances store objects: a bucket, or without an object store folders that both link to. */
const STORAGE: Record<string, string> = {};
const OBJECT_FOLDERS = ["blobs", "snapshots", "artifacts", "uploads"];
const places = mkdtempSync(join(tmpdir(), "parquetry-instances-"));
const hasObjectStore = objectStoreProgram() !== undefined;
let objects: ObjectStoreServer | undefined;

/** An empty data folder. */
function dataFolder(name: string): string {
  const folder = join(places, name);
  mkdirSync(folder);
  if (!hasObjectStore) for (const each of OBJECT_FOLDERS) symlinkSync(join(places, "shared", each), join(folder, each));
  return folder;
}

beforeAll(async () => {
  for (const each of OBJECT_FOLDERS) mkdirSync(join(places, "shared", each), { recursive: true });
  if (hasObjectStore) {
    objects = await ObjectStoreServer.start();
    Object.assign(STORAGE, objects.settings());
  }
  Object.assign(OWN, STORAGE, { PARQUETRY_DATA_DIR: dataFolder("first") });
});

/** The settings of the instance in this process. */
const OWN: Record<string, string> = { ...LIMITS };
const state = useTestState(OWN);

/** The settings of another process of the service. */
const settingsOf = (name: string) => ({
  ...{ DATABASE_URL: state.databaseUrl(), PARQUETRY_DATA_DIR: dataFolder(name), PARQUETRY_SECRET: SECRET },
  ...{ PARQUETRY_LOG_LEVEL: "silent", ...LIMITS, ...STORAGE },
});
const second = useSecondInstance(() => settingsOf("second"));

let first: Awaited<ReturnType<typeof startInstance>>;
beforeAll(async () => {
  first = await startInstance();
});
afterAll(async () => {
  await first?.close();
  await objects?.remove();
  rmSync(places, { recursive: true, force: true });
});

/** Both instances of the service over one database and one object store: this process, and another. */
const INSTANCES: readonly [Ask, Ask] = [
  (path, init) => fetch(`${first.url}${path}`, init),
  (path, init) => fetch(`${second.origin()}${path}`, init),
];

const ANSWERS = 15;

/** Queries both instances twice, changes something while no request is in progress, and queries again. */
async function around(ask: (of: Ask) => Promise<string>, change: () => Promise<unknown>) {
  const askBoth = async () => {
    const answers: string[] = [];
    for (const of of [...INSTANCES, ...INSTANCES]) answers.push(await ask(of));
    return [...new Set(answers)];
  };
  const before = await askBoth();
  await change();
  return { before, after: await askBoth() };
}

/**
 * Queries both instances again and again, one request after another, while something changes. Returns the earlier
 * replies, and those to requests that began after the change was made.
 */
async function across(ask: (of: Ask) => Promise<string>, change: () => Promise<unknown>) {
  const before: string[] = [];
  const after: string[] = [];
  let isChanged = false;
  const warm = INSTANCES.map(() => Promise.withResolvers<void>());
  const asking = INSTANCES.map(async (of, place) => {
    const own = { before: 0, after: 0 };
    while (own.after < ANSWERS) {
      const began = isChanged ? "after" : "before";
      const answer = await ask(of);
      // either answer is right for requests in progress during the change
      if (began === "after") after.push(answer);
      else if (!isChanged) before.push(answer);
      own[began] += 1;
      if (own.before === ANSWERS) warm[place]?.resolve();
    }
  });
  await Promise.race([Promise.all(warm.map(({ promise }) => promise)), Promise.all(asking)]);
  const held = [...new Set(before)];
  await change();
  isChanged = true;
  await Promise.all(asking);
  return { before: held, after: [...new Set(after)] };
}

const sql = async (text: string, ...values: unknown[]) => (await (await database()).pool.query(text, values)).rows;

/** A key of a person with their own workspace. */
async function useKey() {
  const { workspaceId, userId } = await newWorkspace();
  const made = await createKey({ kind: "use", name: "k", workspaceId, userId, expiresAt: null }, ADMINISTRATOR);
  return { ...made, workspaceId, userId };
}

/** Status and code of a query, or the version that it read. */
const query = (tableId: string, key: string) => async (of: Ask) => {
  const reply = await patient(of)(`/api/v2/public/tables/${tableId}/query`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key },
    body: JSON.stringify({ columns: ["id"] }),
  });
  const body = (await reply.json()) as { error?: string; table?: { version_id: string } };
  return reply.ok ? `version ${body.table?.version_id}` : `${reply.status} ${body.error}`;
};

let made = 0;

/** A table of two rows, read by a new key. */
async function reader() {
  made += 1;
  const slug = `read-${made}`;
  const tableId = await publishTwoRows(slug);
  const key = await useKey();
  const [{ id: versionId }] = (await sql(`SELECT id FROM "Version" WHERE "tableId" = $1`, tableId)) as [{ id: string }];
  return { slug, tableId, versionId, key, ask: query(tableId, key.key) };
}

type Reader = Awaited<ReturnType<typeof reader>>;

test.each<[string, (own: Reader) => Promise<unknown>, string]>([
  ["a revoked key", ({ key }) => revokeKey({ id: key.id }, ADMINISTRATOR), "401 key_revoked"],
  [
    "a disabled user's key",
    ({ key }) => sql(`UPDATE "User" SET "disabledAt" = now() WHERE id = $1`, key.userId),
    "401 key_revoked",
  ],
  [
    "the key of a former member",
    ({ key }) => sql(`DELETE FROM "Membership" WHERE "userId" = $1`, key.userId),
    "401 key_revoked",
  ],
  [
    "a key that expires earlier",
    ({ key }) => sql(`UPDATE "AccessKey" SET "expiresAt" = "createdAt" WHERE id = $1`, key.id),
    "401 key_expired",
  ],
  [
    "a withdrawn dataset",
    ({ slug }) => setVisibility(slug, { to: "withdrawn", by: { caller: "operator" } }, ADMINISTRATOR),
    "404 not_found",
  ],
  [
    "a dataset that only another workspace can read",
    async ({ slug }) => {
      await setVisibility(slug, { to: "withdrawn", by: { caller: "operator" } }, ADMINISTRATOR);
      await setVisibility(
        slug,
        { to: "private", workspaceId: (await newWorkspace()).workspaceId, by: { caller: "operator" } },
        ADMINISTRATOR,
      );
    },
    "404 not_found",
  ],
])("%s is rejected by every instance from the next request on", async (_, change, rejection) => {
  const own = await reader();
  const { before, after } = await around(own.ask, () => change(own));
  expect({ before, after }).toEqual({ before: [`version ${own.versionId}`], after: [rejection] });
});

test("a revoked key in constant use on two instances is rejected in every request that begins later", async () => {
  const { key, ask, versionId } = await reader();
  const { before, after } = await across(ask, () => revokeKey({ id: key.id }, ADMINISTRATOR));
  expect({ before, after }).toEqual({ before: [`version ${versionId}`], after: ["401 key_revoked"] });
});

test("every instance reads and describes a new version once it is published", async () => {
  const { slug, tableId, ask } = await reader();
  const described = async (of: Ask) => {
    const reply = (await (await patient(of)(`/api/v2/public/tables/${tableId}/schema`)).json()) as {
      table: { version_id: string };
    };
    return `version ${reply.table.version_id}`;
  };
  for (const [rows, way] of [
    ["id,name\n1,a\n2,b\n3,c\n", ask],
    ["id,name\n1,a\n2,b\n3,c\n4,d\n", described],
  ] as const) {
    let version = "";
    const { before, after } = await across(way, async () => {
      version = `version ${(await publishText(slug, rows)).version_id}`;
    });
    expect(after).toEqual([version]);
    expect(before).not.toContain(version);
  }
});

test("an ended plan opens no hosted table on any instance", async () => {
  const { dataset, key, path } = await hostedRelease({ every: "P1D" });
  const ask = async (of: Ask) =>
    String((await patient(of)(`${path}/freshness`, { headers: { "x-api-key": key } })).status);
  const end = () => sql(`UPDATE "Workspace" SET plan = 'free' WHERE id = $1`, dataset.workspaceId);
  expect(await around(ask, end)).toEqual({ before: ["200"], after: ["402"] });
});

test("of 100 parallel queries over two instances exactly the limit passes, whatever changes meanwhile", async () => {
  const { key, ask } = await reader();
  for (const of of INSTANCES) expect(await ask(of)).toMatch(/^version/);
  const counters = `"Counter" WHERE subject = '${keySubject(key.id)}' AND "window" = 'query-day'`;
  await sql(
    `UPDATE "Counter" SET used = ${PER_DAY - 40} WHERE (subject, "window") IN (SELECT subject, "window" FROM ${counters})`,
  );
  let isOver = false;
  const changing = (async () => {
    while (!isOver) await sql(`UPDATE "Publisher" SET name = name || '.'`);
  })();
  const answers = await Promise.all(Array.from({ length: 50 }, () => INSTANCES.map((of) => ask(of))).flat());
  isOver = true;
  await changing;
  expect(answers.filter((answer) => answer.startsWith("version"))).toHaveLength(40);
  expect(answers.filter((answer) => answer === "429 daily_quota_exhausted")).toHaveLength(60);
  expect(await sql(`SELECT used FROM ${counters}`)).toEqual([{ used: PER_DAY }]);
});

const [onFirst, onSecond] = INSTANCES;

test("parts of a file that reach the instances in turn become one upload", async () => {
  const own = await UploadingBuilder.create();
  expect(await own.sendPart(onFirst, [0, 5])).toMatchObject({ status: 202, json: { held_bytes: 5 } });
  expect(await own.sendPart(onSecond)).toMatchObject({ status: 202, json: { held_bytes: 5 } });
  const both = await Promise.all(INSTANCES.map((of) => own.sendPart(of, [5, 12])));
  const statuses = both.map(({ status }) => status).sort();
  expect([
    [202, 409],
    [202, 416],
  ]).toContainEqual(statuses);
  expect(await own.sendPart(onFirst)).toMatchObject({ json: { held_bytes: 12 } });
  expect(await own.sendPart(onFirst, [12, UPLOADED.length])).toMatchObject({
    status: 201,
    json: { outcome: "stored" },
  });
  expect(await own.sendPart(onSecond)).toMatchObject({ status: 201, json: { outcome: "unchanged" } });
});

test("the parts of another workspace's file are not its own", async () => {
  const [own, other] = [await UploadingBuilder.create(), await UploadingBuilder.create()];
  await own.sendPart(onFirst, [0, 5]);
  expect(await other.sendPart(onSecond)).toMatchObject({ status: 202, json: { held_bytes: 0 } });
  expect(await other.sendPart(onSecond, [5, UPLOADED.length])).toMatchObject({ status: 416 });
});

test("a worker with only database and storage builds from an upload, and both instances read it", async () => {
  const own = await UploadingBuilder.create();
  expect(await own.uploadInTurn(INSTANCES)).toEqual([202, 202, 202, 201]);
  const worker = new WorkerProcess(settingsOf("worker"));
  try {
    const { run } = await own.sample(INSTANCES);
    const texts = async (of: Ask) => {
      const { artifacts } = await own.call(of, `/runs/${run.run_id}/artifacts`);
      return Promise.all(
        artifacts
          .filter(({ text }: { text: boolean }) => text)
          .map(
            async ({ artifact_id }: { artifact_id: string }) =>
              (await own.call(of, `/artifacts/${artifact_id}`)).content,
          ),
      );
    };
    const [here, there] = [await texts(onFirst), await texts(onSecond)];
    expect([here.length > 2, there]).toEqual([true, here]);
    for (const of of INSTANCES) {
      const query = { columns: ["gauge", "level"] };
      const { rows } = await own.call(of, `/runs/${run.run_id}/tables/levels/query`, query);
      expect(rows).toEqual(UPLOADED_ROWS);
    }
  } finally {
    await worker.stop();
  }
});

test("a session that began on one instance is valid on the other, and ends on both", async () => {
  const own = await UploadingBuilder.create();
  const statusOf = async (of: Ask) => String((await of(`${own.path}/uploads`, { headers: own.browser })).status);
  const end = () => sql(`UPDATE "Session" SET "revokedAt" = now() WHERE "userId" = $1::uuid`, own.userId);
  expect(await around(statusOf, end)).toEqual({ before: ["200"], after: ["401"] });
});

test("maintenance closes every instance, without a shared folder", async () => {
  const statuses = () => Promise.all(INSTANCES.map(async (of) => (await of("/api/v2/public/datasets")).status));
  expect(await statuses()).toEqual([200, 200]);
  await turnMaintenanceOn({ message: "Back at noon.", retryAfterSeconds: 90, since: null }, new Date());
  await expect.poll(statuses).toEqual([503, 503]);
  expect(await (await onSecond("/api/v2/public/datasets")).text()).toContain("Back at noon.");
  await turnMaintenanceOff();
  await expect.poll(statuses).toEqual([200, 200]);
});

test("the data folders hold caches and scratch only", () => {
  const scratch = new Set(["tmp", "copies", "runs", ...(hasObjectStore ? [] : OBJECT_FOLDERS)]);
  for (const name of ["first", "second", "worker"])
    expect(readdirSync(join(places, name)).filter((entry) => !scratch.has(entry))).toEqual([]);
});
