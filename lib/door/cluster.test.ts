import { createHash, randomBytes, randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { createKey } from "@/lib/access/use-keys";
import { baseUrl } from "@/lib/kernel/env";
import { keySubject } from "@/lib/limits/subject";
import type { RoutedOperation } from "@/lib/operations/operation";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { setVisibility } from "@/lib/store/datasets/visibility";
import { turnMaintenanceOff, turnMaintenanceOn } from "@/lib/store/maintenance";
import { revokeKey } from "@/lib/store/people/keys";
import { addMember } from "@/lib/store/people/members";
import { CALLERS, type Caller, EXPECTED } from "@/lib/testing/access-expectations";
import { missingForCluster, useCluster } from "@/lib/testing/cluster";
import { trialRuns } from "@/lib/testing/property";
import { READ_ROUTES, READERS, readStatus } from "@/lib/testing/read-expectations";
import { sessionCookie } from "@/lib/testing/signed-in";
import { outcomeOf, pathOf, readOutcome, TRIED, wrongBody } from "@/lib/testing/tried-routes";
import { publishTwoRows } from "@/lib/testing/two-rows";
import { type Ask, UPLOADED_ROWS, UploadingBuilder } from "@/lib/testing/uploading-builder";
import { newWorkspace } from "@/lib/testing/workspace";

const needs = trialRuns("CLUSTER_REQUESTS", 0) === 0 ? "npm run trial -- cluster" : missingForCluster();
const PER_DAY = 100_000;
const LIMITS = {
  ...{ LIMIT_KEY_MINUTE: "1000000", LIMIT_KEY_DAY: String(PER_DAY), LIMIT_ADDRESS_MINUTE: "1000000" },
  ...{ LIMIT_ADDRESS_DAY: "1000000", LIMIT_ACCOUNT_MINUTE: "1000000", LIMIT_DOWNLOAD_MINUTE: "1000000" },
};

describe.skipIf(needs)(needs ? `skipped: needs ${needs}` : "a cluster of two instances and a worker", () => {
  const cluster = useCluster(LIMITS);
  let one: Ask;
  let two: Ask;
  let owner: UploadingBuilder;
  let publicTable = "";
  let publicVersion = "";
  const tables: Record<string, string> = {};
  let sent: Record<Caller, Record<string, string>>;

  beforeAll(async () => {
    [one, two] = cluster().instances;
    owner = await UploadingBuilder.create();
    const { workspaceId, userId } = owner;
    const [stranger, member] = [await newWorkspace(), await newWorkspace()];
    await addMember(workspaceId, member.userId, "member", ADMINISTRATOR);
    const keyOf = async (kind: "use" | "live") =>
      (await createKey({ kind, name: kind, workspaceId, userId, expiresAt: null }, ADMINISTRATOR)).key;
    const use = await keyOf("use");
    const origin = new URL(baseUrl()).origin;
    const person = async (id: string) => ({ cookie: await sessionCookie(id), origin });
    sent = {
      anonymous: {},
      "use key": { "x-api-key": use },
      "live key": { "x-api-key": await keyOf("live") },
      device: owner.terminal,
      bearer: { authorization: `Bearer ${use}` },
      stranger: await person(stranger.userId),
      member: await person(member.userId),
      owner: owner.browser,
    };
    for (const kind of ["public", "of the workspace", "foreign", "withdrawn"])
      tables[kind] = await publishTwoRows(slugOf(kind));
    for (const kind of ["of the workspace", "foreign", "withdrawn"])
      await setVisibility(slugOf(kind), { to: "withdrawn", by: { caller: "operator" } }, ADMINISTRATOR);
    for (const [kind, ownerId] of [
      ["of the workspace", workspaceId],
      ["foreign", stranger.workspaceId],
    ] as const)
      await setVisibility(
        slugOf(kind),
        { to: "private", workspaceId: ownerId, by: { caller: "operator" } },
        ADMINISTRATOR,
      );
    tables.unknown = randomUUID();
    publicTable = tables.public ?? "";
    const schema = await one(`/api/v2/public/tables/${publicTable}/schema`);
    publicVersion = ((await schema.json()) as { table: { version_id: string } }).table.version_id;
  });

  const slugOf = (kind: string): string => `cluster-${kind.replaceAll(" ", "-")}`;

  /** A query of a table of two rows. */
  const query = (key: string, tableId: string) => async (of: Ask) => {
    const reply = await of(`/api/v2/public/tables/${tableId}/query`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify({ columns: ["id"] }),
    });
    const body = (await reply.json()) as { error?: string; rows?: unknown };
    return reply.ok ? `rows ${JSON.stringify(body.rows)}` : `${reply.status} ${body.error}`;
  };

  async function outcome(of: Ask, op: RoutedOperation, caller: Caller): Promise<string> {
    const places = {
      ...{ workspace_id: owner.workspaceId, slug: slugOf("public") },
      ...{ table_id: publicTable, version_id: publicVersion, position: "1" },
    };
    const body = wrongBody(op);
    const reply = await of(pathOf(op, places), {
      method: op.http.method,
      redirect: "manual",
      headers: { origin: new URL(baseUrl()).origin, "content-type": "application/json", ...sent[caller] },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return outcomeOf(reply.status, text.startsWith("{") ? JSON.parse(text) : {});
  }

  test("every instance lets callers in, or rejects them, as the access table says", async () => {
    const differing: string[] = [];
    for (const op of TRIED)
      for (const caller of CALLERS)
        for (const [at, of] of [one, two].entries()) {
          const expected = EXPECTED[op.access]?.[caller];
          const seen = readOutcome(op, expected, await outcome(of, op, caller));
          if (seen !== expected) differing.push(`${op.name}, ${caller}, instance ${at + 1}: ${seen}, not ${expected}`);
        }
    expect(TRIED.length).toBeGreaterThan(100);
    expect(differing).toEqual([]);
  });

  test.each(READ_ROUTES)(
    "$name on every instance: public for all, a workspace's own for its use key",
    async (route) => {
      const seen: string[] = [];
      const expected: string[] = [];
      for (const reader of READERS)
        for (const [kind, id] of Object.entries(tables))
          for (const of of [one, two]) {
            const { status } = await of(route.path(id), {
              method: route.method,
              headers: { "content-type": "application/json", ...sent[reader] },
              ...(route.body && { body: JSON.stringify(route.body) }),
            });
            seen.push(`${reader}, ${kind}: ${status}`);
            expected.push(`${reader}, ${kind}: ${readStatus(route, reader, kind)}`);
          }
      expect(seen).toEqual(expected);
    },
  );

  test("an upload in parts that alternate, built by the worker, is read by either instance", async () => {
    expect(await owner.uploadInTurn([one, two])).toEqual([202, 202, 202, 201]);
    const { dataset, run } = await owner.sample([two, one]);
    const decision = { decision: "approve", recipe_digest: run.result.recipe_digest };
    const decided = await owner.call(one, `/runs/${run.run_id}/decision`, {
      ...decision,
      // biome-ignore lint/suspicious/noThenProperty: the word of the interface
      then: { promote: "public", activate: true },
    });
    const sealed = await owner.untilAtRest(two, decided, ["queued_full", "running_full"]);
    expect([sealed.state, sealed.failure ?? null]).toEqual(["sealed", null]);
    const key = sent["use key"]["x-api-key"] ?? "";
    const catalogue = (await (await two(`/api/v2/public/datasets/${dataset}`)).json()) as {
      tables: { tableId: string; version_id: string }[];
    };
    const { tableId = "" } = catalogue.tables[0] ?? {};
    for (const of of [one, two]) {
      const reply = await of(`/api/v2/public/tables/${tableId}/query`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": key },
        body: JSON.stringify({ columns: ["gauge", "level"] }),
      });
      expect(((await reply.json()) as { rows: unknown }).rows).toEqual(UPLOADED_ROWS);
      const file = await of(`/api/v2/public/tables/${tableId}/current`, { headers: { "x-api-key": key } });
      const bytes = Buffer.from(await file.arrayBuffer());
      const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
      expect([file.status, digest]).toEqual([200, file.headers.get("x-service-content-digest")]);
    }
  });

  test("a person who signs up and in on one instance is signed in on the other, and signs out of both", async () => {
    const [email, password] = [`${randomBytes(6).toString("hex")}@example.com`, randomBytes(12).toString("base64url")];
    const { origin } = new URL(baseUrl());
    const signUp = await one("/api/account/sign-up", {
      method: "POST",
      headers: { origin, "content-type": "application/json" },
      body: JSON.stringify({ email, password }),
    });
    expect(signUp.status).toBe(202);
    const csrf = await two("/api/auth/csrf", { headers: { origin } });
    const { csrfToken } = (await csrf.json()) as { csrfToken: string };
    const signIn = await one("/api/auth/callback/credentials", {
      method: "POST",
      redirect: "manual",
      headers: { origin, cookie: cookiesOf(csrf) },
      body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
    });
    const headers = { origin, cookie: cookiesOf(signIn) };
    const statuses = () => Promise.all([one, two].map(async (of) => (await of("/api/account", { headers })).status));
    expect(await statuses()).toEqual([200, 200]);
    expect((await two("/api/account/sessions", { method: "DELETE", headers })).status).toBe(200);
    expect(await statuses()).toEqual([401, 401]);
  });

  test("of 100 parallel queries over both instances exactly the limit passes", async () => {
    const { id, key } = await newKey();
    const ask = query(key, publicTable);
    for (const of of [one, two]) expect(await ask(of)).toMatch(/^rows/);
    const { redis } = cluster();
    const [counter = ""] = (await redis.ask("KEYS", `parquetry:{${keySubject(id)}}:query-day:*`)) as string[];
    await redis.ask("SET", counter, String(PER_DAY - 40), "KEEPTTL");
    const answers = await Promise.all(Array.from({ length: 50 }, () => [ask(one), ask(two)]).flat());
    expect(answers.filter((answer) => answer.startsWith("rows"))).toHaveLength(40);
    expect(answers.filter((answer) => answer === "429 daily_quota_exhausted")).toHaveLength(60);
    expect(await redis.ask("GET", counter)).toBe(String(PER_DAY));
  });

  test("a key that one instance revokes is rejected by the other's next request", async () => {
    const { id, key } = await newKey();
    const ask = query(key, publicTable);
    for (const of of [one, two, one, two]) expect(await ask(of)).toMatch(/^rows/);
    const path = `/api/account/workspaces/${owner.workspaceId}/keys/${id}`;
    expect((await one(path, { method: "DELETE", headers: owner.browser })).status).toBe(200);
    expect(await ask(two)).toBe("401 key_revoked");
    expect(await ask(one)).toBe("401 key_revoked");
    const other = await newKey();
    expect(await query(other.key, publicTable)(two)).toMatch(/^rows/);
    await revokeKey({ id: other.id }, ADMINISTRATOR);
    expect(await query(other.key, publicTable)(two)).toBe("401 key_revoked");
  });

  test("maintenance closes both, while the load balancer goes on asking them", async () => {
    const { url } = cluster().service;
    const statuses = () =>
      Promise.all(
        [one, two, (path: string) => fetch(url + path)].map(async (of) => (await of("/api/v2/public/datasets")).status),
      );
    expect(await statuses()).toEqual([200, 200, 200]);
    await turnMaintenanceOn({ message: "Back at noon.", retryAfterSeconds: 90, since: null }, new Date());
    await expect.poll(statuses).toEqual([503, 503, 503]);
    const closed = await fetch(`${url}/api/v2/public/datasets`);
    expect([await closed.text(), closed.headers.get("retry-after")]).toEqual([
      expect.stringContaining("Back at noon."),
      "90",
    ]);
    await turnMaintenanceOff();
    await expect.poll(statuses).toEqual([200, 200, 200]);
  });

  test("the data folders hold caches and scratch only", () => {
    const scratch = new Set(["tmp", "copies", "runs"]);
    for (const name of ["one", "two", "worker", "operator"])
      expect(readdirSync(cluster().folder(name)).filter((entry) => !scratch.has(entry))).toEqual([]);
  });

  async function newKey(): Promise<{ id: string; key: string }> {
    const { workspaceId, userId } = owner;
    return createKey({ kind: "use", name: "k", workspaceId, userId, expiresAt: null }, ADMINISTRATOR);
  }
});

/** The cookies that a reply sets. */
const cookiesOf = (reply: Response): string =>
  reply.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
