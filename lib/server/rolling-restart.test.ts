import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { BalancedService, hasBalancer } from "@/lib/testing/balanced-service";
import { trialRuns } from "@/lib/testing/property";

const REQUESTS = trialRuns("ROLLING_REQUESTS", 0);
const needs = REQUESTS === 0 ? "npm run trial -- rolling-restart" : hasBalancer() ? "" : "haproxy";
const CLIENTS = 8;
const PATHS = ["/api/v2/public/datasets?limit=1", "/docs", "/robots.txt", "/llms.txt", "/healthz"];

describe.skipIf(needs)(needs ? `skipped: needs ${needs}` : "two instances behind HAProxy", () => {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-rolling-"));
  chmodSync(folder, 0o755); // the user that runs PostgreSQL must reach it
  let service: BalancedService | undefined;
  afterAll(async () => {
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const ask = async (url: string): Promise<string> => {
    try {
      const [reply] = await once(get(url, { agent }), "response");
      for await (const _ of reply);
      return String(reply.statusCode);
    } catch (error) {
      return String(error);
    }
  };

  test("a rolling restart loses no request", async () => {
    const own = { PARQUETRY_DATA_DIR: join(folder, "data") };
    service = await BalancedService.prepare(folder, () => [own, own]);
    await service.start();
    const { url } = service;
    const outcomes: Record<string, number> = {};
    let done = 0;
    let isOver = false;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isOver) {
        const outcome = await ask(`${url}${PATHS[done % PATHS.length]}`);
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        done += 1;
      }
    });
    while (done < REQUESTS) await service.restartEach();
    isOver = true;
    await Promise.all(clients);
    expect(outcomes).toEqual({ 200: done });
    process.stdout.write(`${done} requests, each answered 200\n`);
  });
});
