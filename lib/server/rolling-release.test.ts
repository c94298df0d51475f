import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sha256Hex } from "@/lib/kernel/sha256";
import { BalancedService, hasBalancer } from "@/lib/testing/balanced-service";
import { earlierCommit, releaseOf } from "@/lib/testing/earlier-release";
import { THIS_RELEASE } from "@/lib/testing/instance-process";
import { PostgresServer, programsOfMajor } from "@/lib/testing/postgres-versions";
import { trialRuns } from "@/lib/testing/property";
import { outcomesOf, type Question, RecordingClients } from "@/lib/testing/recording-clients";

const REQUESTS = trialRuns("RELEASE_REQUESTS", 0);
const CLIENTS = 8;
const MAJOR = 15;
/** Installing and building two releases on a busy machine. */
const BUILDS_MS = 3_600_000;
const MANY = "100000000";
const LIMITS = {
  ...{ LIMIT_KEY_MINUTE: MANY, LIMIT_KEY_DAY: MANY, LIMIT_DOWNLOAD_MINUTE: MANY, LIMIT_DOWNLOAD_DAY: MANY },
  ...{ LIMIT_ADDRESS_MINUTE: MANY, LIMIT_ADDRESS_DAY: MANY, LIMIT_CATALOGUE_MINUTE: MANY, LIMIT_PAGE_MINUTE: MANY },
  ...{ QUERY_QUEUE_MS: "60000", DATABASE_TIMEOUT_MS: "60000" }, // a busy machine rejects none
};

function missing(): string {
  if (REQUESTS === 0) return "npm run trial -- release";
  if (!hasBalancer()) return "haproxy";
  if (programsOfMajor(MAJOR) === undefined) return `PostgreSQL ${MAJOR}`;
  return earlierCommit() === undefined ? "RELEASE_FROM (a commit), since no release is tagged" : "";
}
const needs = missing();

interface Published {
  table_id: string;
  version_id: string;
  content_digest: string;
}

describe.skipIf(needs)(needs ? `skipped: needs ${needs}` : "two releases on one database", () => {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-releases-"));
  chmodSync(folder, 0o755);
  const shared: Record<string, string> = { ...LIMITS, PARQUETRY_DATA_DIR: join(folder, "data") };
  let earlier = "";
  let database: PostgresServer | undefined;
  let service: BalancedService;
  let key = "";
  /** What is current, and what was published by either release, at each step. */
  const published: { text: string; receipt: Published }[] = [];

  /** A command of a release, on the same database and files. */
  async function command<T>(release: string, ...args: string[]): Promise<T> {
    const env = { PATH: "/usr/bin:/bin", NODE_ENV: "production" as const, ...shared };
    const words = ["lib/start/command-line.ts", ...args, "--json"];
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: release, env });
    return JSON.parse(stdout) as T;
  }

  async function publish(release: string): Promise<void> {
    const text = `released ${published.length}`;
    const file = join(folder, "rows.csv");
    writeFileSync(file, `id,text\n1,${text}\n2,more\n`);
    const words = ["--dataset", `set-${published.length}`, "--table", "rows", "--title", text];
    const receipt = await command<Published>(
      release,
      "publish",
      file,
      ...words,
      "--publisher",
      "P",
      "--license",
      "MIT",
    );
    published.push({ text, receipt });
  }

  beforeAll(async () => {
    earlier = releaseOf(earlierCommit() ?? "");
    await promisify(execFile)("npm", ["run", "-s", "build"], { cwd: THIS_RELEASE });
    database = await PostgresServer.start(programsOfMajor(MAJOR) ?? "");
    Object.assign(shared, { DATABASE_URL: database.url, PARQUETRY_SECRET: "a-secret-of-both-releases-of-this-test!" });
    service = await BalancedService.prepare(folder, (url) => {
      Object.assign(shared, { PARQUETRY_BASE_URL: url, PARQUETRY_TRUSTED_PROXIES: "127.0.0.1" });
      return [shared, shared];
    });
    await publish(earlier);
    ({ key } = await command<{ key: string }>(earlier, "key", "create", "--email", "reader@example.com"));
    for (const instance of service.instances) instance.release = earlier;
    await service.start();
  }, BUILDS_MS);
  afterAll(async () => {
    await service?.stop();
    await database?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const asKey = () => ({ "content-type": "application/json", "x-api-key": key });
  const pathOf = ({ receipt }: (typeof published)[number]) => `/api/v2/public/tables/${receipt.table_id}`;
  const nth = (asked: number) => {
    const one = published[asked % published.length];
    if (!one) throw new Error("nothing is published");
    return one;
  };

  function query(asked: number): Question {
    const one = nth(asked);
    const value = (asked % 2) + 1;
    const filters = [{ column: "id", operator: "eq", value }];
    const expected = JSON.stringify([{ text: value === 1 ? one.text : "more" }]);
    const fault = (bytes: Buffer) => {
      const rows = JSON.stringify(JSON.parse(bytes.toString()).rows);
      return rows === expected ? undefined : `${rows}, not ${expected}`;
    };
    const body = JSON.stringify({ columns: ["text"], filters });
    return { kind: "query", method: "POST", path: `${pathOf(one)}/query`, headers: asKey(), body, fault };
  }

  function file(asked: number): Question {
    const one = nth(asked);
    const fault = (bytes: Buffer) =>
      `sha256:${sha256Hex(bytes)}` === one.receipt.content_digest ? undefined : "other bytes";
    return { kind: "file", method: "GET", path: `${pathOf(one)}/current`, headers: asKey(), fault };
  }

  const containing = (text: string) => (bytes: Buffer) =>
    bytes.includes(text) ? undefined : bytes.toString().slice(0, 200);
  function schema(asked: number): Question {
    const one = nth(asked);
    const fault = containing(one.receipt.version_id);
    return { kind: "schema", method: "GET", path: `${pathOf(one)}/schema`, fault };
  }
  const catalogue = (): Question => ({
    ...{ kind: "catalogue", method: "GET", path: "/api/v2/public/datasets?q=released" },
    fault: containing('"total"'),
  });
  const page = (): Question => ({
    ...{ kind: "page", method: "GET", path: "/datasets/set-0" },
    fault: containing(nth(0).text),
  });
  function tools(): Question {
    const headers = {
      ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
      authorization: `Bearer ${key}`,
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    return { kind: "connector", method: "POST", path: "/api/mcp", headers, body, fault: containing('"query') };
  }

  const KINDS = [query, query, file, schema, catalogue, page, tools];
  const mixed = (asked: number): Question => (KINDS[asked % KINDS.length] ?? query)(Math.trunc(asked / KINDS.length));

  /** Moves the instances to a release one by one while clients read, and publishes with it. */
  async function moveTo(release: string): Promise<void> {
    const clients = new RecordingClients([service.url], CLIENTS, mixed);
    for (const instance of service.instances) instance.release = release;
    await service.restartEach();
    await publish(release);
    while (clients.seen.length < REQUESTS) await service.restartEach();
    const seen = await clients.end();
    const failed = seen.filter(({ outcome }) => outcome !== "200").slice(0, 10);
    expect([failed, outcomesOf(seen)]).toEqual([[], { 200: seen.length }]);
    process.stdout.write(`${seen.length} requests, each answered 200\n`);
  }

  test("the earlier release runs on its own database", async () => {
    const clients = new RecordingClients([service.url], CLIENTS, mixed);
    await expect.poll(() => clients.seen.length).toBeGreaterThan(KINDS.length * CLIENTS);
    const seen = await clients.end();
    expect(outcomesOf(seen)).toEqual({ 200: seen.length });
  });

  test("instances move to this release one by one and lose no request", () => moveTo(THIS_RELEASE));

  test("they go back one step, on the database that this release has changed", () => moveTo(earlier));

  test("and forward again", () => moveTo(THIS_RELEASE));
});
