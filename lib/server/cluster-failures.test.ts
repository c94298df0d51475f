import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createKey } from "@/lib/access/use-keys";
import { keySubject } from "@/lib/limits/subject";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { missingForCluster, useCluster } from "@/lib/testing/cluster";
import { trialRuns } from "@/lib/testing/property";
import { publishText } from "@/lib/testing/publish-text";
import { outcomesOf, type Question, RecordingClients, type Seen } from "@/lib/testing/recording-clients";
import { UploadingBuilder } from "@/lib/testing/uploading-builder";
import { newWorkspace } from "@/lib/testing/workspace";

const REQUESTS = trialRuns("CLUSTER_REQUESTS", 0);
const KILL_SECONDS = trialRuns("CLUSTER_KILL_SECONDS", 0);
const needs = REQUESTS === 0 ? "npm run trial -- cluster" : missingForCluster();

const CLIENTS = 16;
const KILL_EVERY_MS = 10_000;
/** From when on no request may fail after a kill: two checks of the load balancer. */
const NOTICED_MS = 2_000;
const REPLIES_WITHIN_MS = 2_000;
const HEALTHY_WITHIN_MS = 5_000;
const OUTAGE_MS = 10_000;

const ROWS = 1_000;
const TABLES = 4;
const MANY = "100000000";
const LIMITS = {
  ...{ LIMIT_KEY_MINUTE: MANY, LIMIT_KEY_DAY: MANY, LIMIT_DOWNLOAD_MINUTE: MANY, LIMIT_DOWNLOAD_DAY: MANY },
  ...{ LIMIT_ADDRESS_MINUTE: MANY, LIMIT_ADDRESS_DAY: MANY, LIMIT_CATALOGUE_MINUTE: MANY },
  ...{ QUERY_QUEUE_MS: "60000" }, // a busy machine rejects none
};

/** The text in each row of a table. */
const cellOf = (table: number, id: number): string => `t${table}-${createHash("sha1").update(`${id}`).digest("hex")}`;

describe.skipIf(needs)(needs ? `skipped: needs ${needs}` : "a cluster while its parts fail", () => {
  const cluster = useCluster(LIMITS);
  const tables: { id: string; version: string; digest: string }[] = [];
  let key: { id: string; key: string };

  beforeAll(async () => {
    for (let table = 0; table < TABLES; table += 1) tables.push(await published(`failing-${table}`, table));
  });
  beforeEach(async () => {
    const { workspaceId, userId } = await newWorkspace();
    key = await createKey({ kind: "use", name: "k", workspaceId, userId, expiresAt: null }, ADMINISTRATOR);
  });

  async function published(slug: string, table: number) {
    const lines = Array.from({ length: ROWS }, (_, id) => `${id},${cellOf(table, id)}`);
    const receipt = await publishText(slug, `id,value\n${lines.join("\n")}\n`);
    return { id: receipt.table_id, version: receipt.version_id, digest: receipt.content_digest };
  }

  const asKey = () => ({ "content-type": "application/json", "x-api-key": key.key });

  /** A query of one row, which is in no cache as long as no other asked for it. */
  function query(asked: number, { id: tableId } = tables[asked % TABLES] ?? { id: "" }): Question {
    const id = Math.trunc(asked / TABLES) % ROWS;
    const path = `/api/v2/public/tables/${tableId}/query`;
    const filters = [{ column: "id", operator: "eq", value: id }];
    const body = JSON.stringify({ columns: ["value"], filters });
    const expected = JSON.stringify([{ value: cellOf(asked % TABLES, id) }]);
    const fault = (bytes: Buffer) => {
      const rows = JSON.stringify(JSON.parse(bytes.toString()).rows);
      return rows === expected ? undefined : `${rows}, not ${expected}`;
    };
    return { kind: "query", method: "POST", path, headers: asKey(), body, fault };
  }

  function file(asked: number): Question {
    const { id, digest } = tables[asked % TABLES] ?? { id: "", digest: "" };
    const fault = (bytes: Buffer) => {
      const own = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
      return own === digest ? undefined : `${own}, not ${digest}`;
    };
    return { kind: "file", method: "GET", path: `/api/v2/public/tables/${id}/current`, headers: asKey(), fault };
  }

  function schema(asked: number): Question {
    const { id, version } = tables[asked % TABLES] ?? { id: "", version: "" };
    const fault = (bytes: Buffer) => {
      const own = JSON.parse(bytes.toString()).table.version_id;
      return own === version ? undefined : `${own}, not ${version}`;
    };
    return { kind: "schema", method: "GET", path: `/api/v2/public/tables/${id}/schema`, fault };
  }

  /** Of the questions of the connector, which the load balancer never repeats. */
  function tools(): Question {
    const headers = {
      ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
      authorization: `Bearer ${key.key}`,
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const fault = (bytes: Buffer) => (bytes.includes('"query') ? undefined : bytes.toString().slice(0, 200));
    return { kind: "connector", method: "POST", path: "/api/mcp", headers, body, fault };
  }

  const KINDS = [query, query, query, file, schema, tools];
  const mixed = (asked: number): Question => (KINDS[asked % KINDS.length] ?? query)(Math.trunc(asked / KINDS.length));

  /** How many requests of the key are counted, over all days. */
  async function counted(window: "query-day" | "download-day"): Promise<number> {
    const { redis } = cluster();
    const names = (await redis.ask("KEYS", `parquetry:{${keySubject(key.id)}}:${window}:*`)) as string[];
    const counts = await Promise.all(names.map((name) => redis.ask("GET", name)));
    return counts.reduce<number>((sum, count) => sum + Number(count), 0);
  }

  const repliesTo = (kind: string, seen: readonly Seen[]): number =>
    seen.filter((one) => one.kind === kind && one.outcome === "200").length;

  async function expectAllCounted(seen: readonly Seen[]): Promise<void> {
    expect(await counted("query-day")).toBeGreaterThanOrEqual(repliesTo("query", seen));
    expect(await counted("download-day")).toBeGreaterThanOrEqual(repliesTo("file", seen));
  }

  /** What the key's workspace sees of it, once the instances have written what they had in memory. */
  async function expectUsage(seen: readonly Seen[]): Promise<void> {
    const { pool } = await database();
    const used = async () => {
      const sums = `SELECT sum(queries)::int AS queries, sum(downloads)::int AS downloads FROM "Usage" WHERE "keyId" = $1`;
      return (await pool.query(sums, [key.id])).rows[0];
    };
    await expect
      .poll(used, { timeout: 60_000 })
      .toEqual({ queries: repliesTo("query", seen), downloads: repliesTo("file", seen) });
  }

  test(`instances restarted one by one lose none of ${REQUESTS} requests`, async () => {
    const { service } = cluster();
    const clients = new RecordingClients([service.url], CLIENTS, mixed);
    let restarts = 0;
    while (clients.seen.length < REQUESTS || restarts === 0) {
      await service.restartEach();
      restarts += service.instances.length;
    }
    const seen = await clients.end();
    expect(outcomesOf(seen)).toEqual({ 200: seen.length });
    await expectAllCounted(seen);
    await expectUsage(seen);
    say(`${seen.length} requests, ${restarts} restarts: each answered 200`);
  });

  test.skipIf(KILL_SECONDS === 0)(`instances killed for ${KILL_SECONDS} s lose only what was under way`, async () => {
    const { service } = cluster();
    const clients = new RecordingClients([service.url], CLIENTS, mixed);
    const killsMs: number[] = [];
    const endMs = performance.now() + KILL_SECONDS * 1000;
    while (performance.now() < endMs)
      for (const instance of service.instances) {
        const next = wait(KILL_EVERY_MS);
        killsMs.push(performance.now());
        await instance.end("SIGKILL");
        await instance.start();
        await service.allInUse();
        await next;
      }
    const seen = await clients.end();
    const failed = seen.filter(({ outcome }) => outcome !== "200");
    // cut, or 502 for what the load balancer may not repeat
    expect(failed.filter(({ outcome }) => !/^(?:cut: |502$)/.test(outcome))).toEqual([]);
    const isUnderWay = ({ beganMs, endedMs }: Seen) =>
      killsMs.some((killMs) => beganMs < killMs + NOTICED_MS && endedMs >= killMs);
    expect(failed.filter((one) => !isUnderWay(one))).toEqual([]);
    await expectAllCounted(seen);
    const byKind = Object.groupBy(failed, ({ kind }) => kind);
    const lost = Object.entries(byKind).map(([kind, some = []]) => `${kind} ${JSON.stringify(outcomesOf(some))}`);
    say(`${seen.length} requests, ${killsMs.length} kills, ${failed.length} failed: ${lost.join(", ")}`);
  });

  /** Clients at each instance while `work` runs. */
  async function during(questions: (asked: number) => Question, work: () => Promise<void>): Promise<readonly Seen[]> {
    const clients = new RecordingClients(
      cluster().service.instances.map(({ url }) => url),
      CLIENTS,
      questions,
    );
    await work();
    return clients.end();
  }

  interface Outage {
    /** When it was stopped, when it was told to start, and when it had started. */
    downMs: number;
    backMs: number;
    upMs: number;
  }

  /** Stops a part while clients read, and starts it again. */
  async function outage(part: { kill(): Promise<void>; restart(): Promise<void> }): Promise<Outage> {
    await wait(2_000);
    await part.kill();
    const downMs = performance.now();
    await wait(OUTAGE_MS);
    const backMs = performance.now();
    await part.restart();
    const upMs = performance.now();
    await wait(HEALTHY_WITHIN_MS + 2_000);
    return { downMs, backMs, upMs };
  }

  /** Expects of what needs the part that it is refused promptly while it is stopped, and answered soon after. */
  function expectPrompt(seen: readonly Seen[], { downMs, backMs, upMs }: Outage): void {
    const away = seen.filter(({ beganMs, endedMs }) => beganMs > downMs && endedMs < backMs);
    expect(away.length).toBeGreaterThan(0);
    expect(away.filter(({ outcome, saysWhen }) => outcome !== "503 unavailable" || !saysWhen).slice(0, 5)).toEqual([]);
    const slowest = Math.max(...away.map(({ beganMs, endedMs }) => endedMs - beganMs));
    const later = seen.filter(({ beganMs }) => beganMs > upMs + HEALTHY_WITHIN_MS);
    expect(later.length).toBeGreaterThan(0);
    expect(outcomesOf(later)).toEqual({ 200: later.length });
    const failing = seen.filter(({ beganMs, outcome }) => beganMs > upMs && outcome !== "200");
    const healthyMs = Math.max(0, ...failing.map(({ endedMs }) => endedMs - upMs));
    say(`refused ${away.length}, the slowest within ${Math.round(slowest)} ms; healthy in ${Math.round(healthyMs)} ms`);
    expect(slowest).toBeLessThan(REPLIES_WITHIN_MS);
  }

  test.each([
    ["PostgreSQL", () => cluster().database],
    ["Redis", () => cluster().redis],
  ])("%s stopped: 503 at once, healthy soon after, and no count is lost or doubled", async (_name, server) => {
    let gap: Outage | undefined;
    const seen = await during(query, async () => {
      gap = await outage(server());
    });
    if (gap) expectPrompt(seen, gap);
    expectUnderWay(seen, gap, await counted("query-day"));
    await expectUsage(seen);
  });

  test("the store stopped: 503 at once for what is not here, healthy soon after, each query counted once", async () => {
    const fresh: { id: string }[] = [];
    for (let at = 0; at < TABLES; at += 1) fresh.push(await published(`unread-${at}`, at));
    let gap: Outage | undefined;
    let questions = query;
    const seen = await during(
      (asked) => questions(asked),
      async () => {
        await cluster().objects.kill();
        await wait(100);
        questions = (asked) => query(asked, fresh[asked % TABLES]);
        const downMs = performance.now() + REPLIES_WITHIN_MS;
        await wait(OUTAGE_MS);
        const backMs = performance.now();
        await cluster().objects.restart();
        const upMs = performance.now();
        await wait(HEALTHY_WITHIN_MS + 2_000);
        gap = { downMs, backMs, upMs };
      },
    );
    if (gap) expectPrompt(seen, gap);
    expect(await counted("query-day")).toBe(seen.length);
    await expectUsage(seen);
  });

  /** Every reply of 200 is counted once, and besides them at most what was under way when the part stopped. */
  function expectUnderWay(seen: readonly Seen[], gap: Outage | undefined, count: number): void {
    const downMs = gap?.downMs ?? 0;
    const cut = seen.filter(({ beganMs, outcome }) => outcome !== "200" && beganMs <= downMs).length;
    const replies = repliesTo("query", seen);
    expect(count).toBeGreaterThanOrEqual(replies);
    expect(count).toBeLessThanOrEqual(replies + cut);
  }

  test("the worker outlives all of it: it builds from an upload", async () => {
    const { instances } = cluster();
    const owner = await UploadingBuilder.create();
    expect(await owner.uploadInTurn(instances)).toEqual([202, 202, 202, 201]);
    await owner.sample(instances);
  });
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);
