import { expect, test } from "vitest";
import { createKey } from "@/lib/access/use-keys";
import { plainResponse } from "@/lib/http/deferred-body";
import { baseUrl } from "@/lib/kernel/env";
import { keySubject } from "@/lib/limits/subject";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { setVisibility } from "@/lib/store/datasets/visibility";
import { revokeKey } from "@/lib/store/people/keys";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { useSecondInstance } from "@/lib/testing/second-instance";
import { hostedRelease } from "@/lib/testing/stored-release";
import { publishTwoRows } from "@/lib/testing/two-rows";
import { newWorkspace } from "@/lib/testing/workspace";
import { handle } from "./handle";

const PER_DAY = 100_000;
const LIMITS = {
  ...{ LIMIT_KEY_MINUTE: String(PER_DAY), LIMIT_KEY_DAY: String(PER_DAY) },
  LIMIT_FRESHNESS_MINUTE: String(PER_DAY),
};
const SETTINGS = { PARQUETRY_SECRET: "test-secret-test-secret-test-secret!", PARQUETRY_LOG_LEVEL: "silent", ...LIMITS };
const state = useTestState(LIMITS);
const second = useSecondInstance(() => ({
  ...{ DATABASE_URL: state.databaseUrl(), PARQUETRY_DATA_DIR: state.dataDir() },
  ...SETTINGS,
}));

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** Both instances of the service over one database: this process, and another. */
const INSTANCES: readonly Ask[] = [
  async (path, init) => {
    const request = new Request(`${baseUrl()}${path}`, init);
    return plainResponse(await handle(request), request);
  },
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

/** Retries if the database has not responded in time, as a client does on a busy machine. */
const patient =
  (of: Ask): Ask =>
  async (path, init) => {
    for (;;) {
      const reply = await of(path, init);
      if (reply.status !== 503) return reply;
      await reply.body?.cancel();
    }
  };

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
