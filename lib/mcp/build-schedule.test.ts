import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { runSchedules } from "@/lib/operations/refresh/run-schedules";
import { useBuilder } from "@/lib/testing/builder";
import { useTestState } from "@/lib/testing/database";

let text = "id,value\n1,1\n";
const server = createServer((_, reply) => reply.writeHead(200).end(text));
const port = await new Promise<number>((resolve) =>
  server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
);
useTestState({ SOURCE_PRIVATE_HOSTS: `127.0.0.1:${port}` });

const DAY_MS = 86_400_000;
const builder = useBuilder(server);

// biome-ignore lint/suspicious/noExplicitAny: replies of many tools
async function call(name: string, args: Record<string, unknown>): Promise<any> {
  const { structuredContent, content, isError } = await builder().client.callTool({ name, arguments: args });
  if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
  return structuredContent;
}

async function ended(run: { run_id: string; state: string }): Promise<{ state: string; outcome: string }> {
  let state = run;
  while (!["sealed", "failed", "awaiting_approval"].includes(state.state))
    state = await call("get_run", { run_id: run.run_id, known_state: state.state, wait_ms: 20_000 });
  return state as unknown as { state: string; outcome: string };
}

/** The run that the schedule starts at a time; undefined if none. */
async function startedAt(dataset: string, now: Date) {
  await runSchedules(now);
  const { runs } = await call("list_runs", { dataset, kind: "refresh", unchanged: true });
  return runs[0];
}

test("a schedule's runs end early where nothing changed, and stop while it is paused", async () => {
  const { dataset } = await call("create_dataset", { title: "By schedule" });
  const { slug } = dataset;
  const columns = [
    { name: "id", type: "int64" },
    { name: "value", type: "int64" },
  ];
  const recipe = {
    schema_version: "service-recipe.v1",
    sources: [{ name: "source", kind: "http", url: `http://127.0.0.1:${port}/a.csv`, reader: { format: "csv" } }],
    tables: [{ name: "rows", from: "source", columns, order_by: ["id"] }],
    refresh: { every: "P1D" },
    publish: { license: "CC0-1.0", publisher: { name: "Office" } },
  };
  const { run } = await call("register_recipe", { dataset: slug, recipe, start: true });
  const sample = await call("confirm_run", { run_id: run.run_id, wait_ms: 20_000 });
  const { recipe_digest } = sample.sample;
  await ended(await call("approve_full_run", { run_id: run.run_id, recipe_digest }));
  await call("promote_table", { dataset: slug });
  const now = new Date();
  await runSchedules(now);
  const { schedule } = await call("get_my_dataset", { dataset: slug });
  expect(schedule).toMatchObject({ every: "P1D", time_zone: "UTC", paused: null, failures_in_row: 0 });
  const next = new Date(schedule.next_at);
  expect(next.getTime() - now.getTime()).toBeLessThanOrEqual(DAY_MS + 600_000);

  const first = await startedAt(slug, next);
  expect(first).toMatchObject({ kind: "refresh" });
  expect(await ended(first)).toMatchObject({ state: "sealed", outcome: "unchanged" });
  text = "id,value\n1,1\n2,2\n";
  await runSchedules(next);
  const second = await startedAt(slug, new Date(next.getTime() + DAY_MS));
  expect(second.run_id).not.toBe(first.run_id);
  expect(await ended(second)).toMatchObject({ state: "sealed", outcome: "released" });
  const { current, freshness, releases } = await call("get_table", { dataset: slug, table: "rows" });
  expect(current).toMatchObject({ rows: 2, continuity: "continuous" });
  expect(freshness).toMatchObject({ state: "learning", sources: [{ name: "source", consecutive_failures: 0 }] });

  const older = { dataset: slug, version_id: releases[1].version_id, roll_back: true };
  expect((await call("promote_table", older)).next).toContain("Refreshes keep this version");
  expect(await call("update_dataset", { dataset: slug, schedule: "pause" })).toMatchObject({ changed: ["schedule"] });
  expect(await call("update_dataset", { dataset: slug, schedule: "pause" })).toMatchObject({ changed: [] });
  const later = await startedAt(slug, new Date(next.getTime() + 9 * DAY_MS));
  expect(later.run_id).toBe(second.run_id);
  expect((await call("get_my_dataset", { dataset: slug })).schedule).toMatchObject({
    next_at: null,
    paused: { by: "agent", reason: null },
  });
  expect(await call("update_dataset", { dataset: slug, schedule: "resume" })).toMatchObject({ changed: ["schedule"] });
  expect((await call("get_my_dataset", { dataset: slug })).schedule.paused).toBeNull();
});
