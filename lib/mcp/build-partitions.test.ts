import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, expect, test } from "vitest";
import { getTable } from "@/lib/operations/releases/get-table";
import { database } from "@/lib/store/postgres/database";
import { buildUsage } from "@/lib/store/runs/build-quota";
import { useBuilder } from "@/lib/testing/builder";
import { useTestState } from "@/lib/testing/database";
import { call as callRoute, sessionCookie } from "@/lib/testing/signed-in";

/** Files by year, and a query by days; the reply at each path can change. */
const answers = new Map<string, string>();
let asked: string[] = [];
const server = createServer((request, reply) => {
  asked.push(request.url ?? "");
  const answer = answers.get(request.url ?? "");
  if (answer === undefined) reply.writeHead(404).end();
  else reply.writeHead(200).end(answer);
});
const port = await new Promise<number>((resolve) =>
  server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
);
const origin = `http://127.0.0.1:${port}`;
const DAY_BYTES = 20_000;
useTestState({ SOURCE_PRIVATE_HOSTS: `127.0.0.1:${port}`, BUILD_BYTES_DAY: String(DAY_BYTES) });

const builder = useBuilder(server);
beforeEach(() => {
  asked = [];
});

async function call<T extends object>(name: string, args: Record<string, unknown>): Promise<T> {
  const { structuredContent, content, isError } = await builder().client.callTool({ name, arguments: args });
  if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
  return structuredContent as T;
}

const recipeOf = (source: object, columns: object[]) => ({
  schema_version: "service-recipe.v1",
  sources: [{ name: "source", kind: "http", ...source }],
  tables: [
    { name: "rows", from: "source", columns, order_by: columns.map((column) => (column as { name: string }).name) },
  ],
  publish: { license: "CC0-1.0", publisher: { name: "Office" } },
});

interface State {
  run_id: string;
  state: string;
  outcome: string | null;
  failure?: { code: string };
  sample?: { recipe_digest: string; sampled: object[] };
}

async function ended(run: State): Promise<State> {
  let state = run;
  while (!["sealed", "failed", "awaiting_approval"].includes(state.state))
    state = await call<State>("get_run", { run_id: run.run_id, known_state: state.state, wait_ms: 20_000 });
  return state;
}

/** Builds and promotes a dataset of a source; `sampled` is what its sample requested. */
async function built(title: string, source: object, columns: object[]) {
  const { dataset } = await call<{ dataset: { slug: string } }>("create_dataset", { title });
  const recipe = recipeOf(source, columns);
  const { run } = await call<{ run: State }>("register_recipe", { dataset: dataset.slug, recipe, start: true });
  const sample = await call<State>("confirm_run", { run_id: run.run_id, wait_ms: 20_000 });
  const sampled = asked;
  asked = [];
  const { recipe_digest } = sample.sample ?? {};
  const full = await ended(await call<State>("approve_full_run", { run_id: run.run_id, recipe_digest }));
  expect(full).toMatchObject({ state: "sealed", outcome: "released" });
  const { receipts } = await call<{ receipts: { table_id: string }[] }>("promote_table", { dataset: dataset.slug });
  return { slug: dataset.slug, sampled, sample: sample.sample, tableId: receipts[0]?.table_id };
}

async function refreshed(dataset: string): Promise<State> {
  asked = [];
  const { prisma } = await database();
  await prisma.run.updateMany({ data: { createdAt: new Date(Date.now() - 60_000) } }); // or it is the earlier call
  return ended(await call<State>("start_run", { dataset }));
}

const rowsOf = async (table_id: string | undefined, columns: string[]) =>
  (await call<{ rows: unknown[] }>("query_table", { table_id, columns })).rows;

test("files of a template: a sample reads both ends, a refresh the newest, and the end may be missing", async () => {
  for (const year of [2021, 2022, 2023, 2024]) answers.set(`/${year}.csv`, `id,value\n1,${year}\n`);
  const template = {
    url: `${origin}/{year}.csv`,
    partition: { by: "year", from: "2021", to: "2025" },
    reread: 2,
    column: { name: "year", type: "date" },
  };
  const columns = [
    { name: "year", type: "date" },
    { name: "id", type: "int64" },
    { name: "value", type: "int64" },
  ];
  const reader = { format: "csv" };
  const { slug, sampled, sample, tableId } = await built("By year", { template, reader }, columns);
  expect(sampled).toEqual(["/2021.csv", "/2025.csv", "/2024.csv"]);
  expect(sample?.sampled).toEqual([{ source: "source", rows: 2, of: null }]);
  expect(asked).toEqual(["/2021.csv", "/2022.csv", "/2023.csv", "/2024.csv", "/2025.csv"].slice(1));
  expect(await rowsOf(tableId, ["year", "value"])).toEqual(
    [2021, 2022, 2023, 2024].map((year) => [`${year}-01-01`, year]),
  );
  answers.set("/2022.csv", "id,value\n1,0\n"); // old, and not requested again
  answers.set("/2025.csv", "id,value\n1,2025\n");
  expect(await refreshed(slug)).toMatchObject({ outcome: "released" });
  expect(asked).toEqual(["/2024.csv", "/2025.csv"]);
  expect((await rowsOf(tableId, ["value"])).flat()).toEqual([2021, 2022, 2023, 2024, 2025]);
  const table = await call<{ releases: { rows: number; current: boolean }[] }>("get_table", {
    dataset: slug,
    table: "rows",
  });
  expect(table).toMatchObject({
    table: { id: tableId, slug: "rows" },
    columns: [{ name: "year", type: "date" }, { name: "id" }, { name: "value" }],
    releases: [
      { rows: 5, current: true, change: "appended", continuity: "continuous" },
      { rows: 4, current: false, change: "first", continuity: "first_release" },
    ],
    current: { rows: 5 },
    freshness: { state: "learning", continuity: "continuous", sources: [{ name: "source", state: "learning" }] },
    lineage: { columns: { value: { sources: ["source.value"] } } },
  });
  const cookie = await sessionCookie(builder().userId);
  const path = { workspace_id: builder().workspaceId, dataset: slug, table: "rows" };
  const { status, body } = await callRoute(getTable, path, { cookie });
  expect([status, body.releases]).toEqual([200, table.releases]);
  expect((await callRoute(getTable, { ...path, table: "none" }, { cookie })).status).toBe(404);
  answers.delete("/2024.csv");
  expect(await refreshed(slug)).toMatchObject({ state: "failed", failure: { code: "source_status" } });
});

test("slices of a query, and a refresh that ends after reading when the rows are unchanged", async () => {
  for (const day of ["2026-01-01", "2026-01-02", "2026-01-03"])
    answers.set(`/q?on=${day}`, JSON.stringify({ items: [{ day, level: 1.5 }], made: 1 }));
  const slices = { from: "2026-01-01", to: "2026-01-03", every: "P1D", send: { from: { query: "on" } } };
  const source = { url: `${origin}/q`, slices, reader: { format: "json", options: { records: "/items" } } };
  const columns = [
    { name: "day", type: "string" },
    { name: "level", type: "float64" },
  ];
  const { slug, tableId, sampled } = await built("Levels by day", source, columns);
  expect(sampled).toEqual(["/q?on=2026-01-01", "/q?on=2026-01-03"]);
  expect(await rowsOf(tableId, ["day"])).toEqual([["2026-01-01"], ["2026-01-02"], ["2026-01-03"]]);
  expect(await refreshed(slug)).toMatchObject({ outcome: "unchanged" });
  answers.set("/q?on=2026-01-03", JSON.stringify({ made: 2, items: [{ day: "2026-01-03", level: 1.5 }] }));
  const again = await refreshed(slug);
  expect(again).toMatchObject({ outcome: "unchanged" });
  const { prisma } = await database();
  const kinds = await prisma.runEvent.findMany({ where: { runId: again.run_id }, orderBy: { seq: "asc" } });
  expect(kinds.map(({ kind }) => kind)).not.toContain("file");
  expect(kinds.at(-1)).toMatchObject({
    kind: "sealed",
    message: "every source has the same rows as in the previous run",
  });
  const seen = await prisma.sourceObservation.findMany({ where: { runId: again.run_id }, orderBy: { at: "asc" } });
  expect(seen.map(({ how, changed }) => [how, changed])).toEqual([
    ["same_bytes", false],
    ["same_rows", false],
  ]);
  answers.set("/q?on=2026-01-03", JSON.stringify({ items: [{ day: "2026-01-03", level: 2.5 }] }));
  expect(await refreshed(slug)).toMatchObject({ outcome: "released" });
  const { releases } = await call<{ releases: { version_id: string }[] }>("get_table", {
    dataset: slug,
    table: "rows",
  });
  const back = { dataset: slug, version_id: releases[1]?.version_id, roll_back: true };
  await call("promote_table", back); // what is current is no longer what the sources have, and stays
  expect(await refreshed(slug)).toMatchObject({ outcome: "unchanged" });
  answers.set("/q?on=2026-01-03", JSON.stringify({ items: [{ day: "2026-01-03", level: 3.5 }] }));
  const kept = await refreshed(slug);
  expect(kept).toMatchObject({ outcome: "released" });
  const told = await prisma.runEvent.findMany({ where: { runId: kept.run_id }, orderBy: { seq: "asc" } });
  expect(told.map(({ kind }) => kind)).not.toContain("promoted");
  expect(told.at(-1)?.message).toContain("somebody went back to an earlier version of rows");
  const after = await call<{ current: { version_id: string }; releases: { version_id: string }[] }>("get_table", {
    dataset: slug,
    table: "rows",
  });
  expect(after.current.version_id).toBe(back.version_id);
  await call("promote_table", { dataset: slug, version_id: after.releases[0]?.version_id });
  answers.set("/q?on=2026-01-03", JSON.stringify({ items: [{ day: "2026-01-03", level: 4.5 }] }));
  expect(await refreshed(slug)).toMatchObject({ outcome: "released" });
  const { current, releases: all } = await call<typeof after>("get_table", { dataset: slug, table: "rows" });
  expect(current.version_id).toBe(all[0]?.version_id);
});

test("a failing source gives the bytes of its last good read if its recipe says so; the read still fails", async () => {
  answers.set("/reused.csv", "id\n1\n2\n");
  const source = { url: `${origin}/reused.csv`, on_failure: "reuse", reader: { format: "csv" } };
  const { slug, tableId } = await built("Reused", source, [{ name: "id", type: "string" }]);
  answers.delete("/reused.csv");
  expect(await refreshed(slug)).toMatchObject({ state: "sealed", outcome: "unchanged" });
  expect(await rowsOf(tableId, ["id"])).toHaveLength(2);
  const { prisma } = await database();
  const dataset = await prisma.dataset.findUniqueOrThrow({ where: { slug } });
  const last = await prisma.sourceObservation.findFirstOrThrow({
    where: { datasetId: dataset.id },
    orderBy: { at: "desc" },
  });
  expect(last).toMatchObject({ outcome: "failed", failureCode: "source_status" });
});

test("the day's bytes are counted as they arrive, and a run that would exceed the quota ends", async () => {
  const { workspaceId } = builder();
  answers.set("/big.csv", `id\n${"1\n".repeat(DAY_BYTES)}`);
  const { dataset } = await call<{ dataset: { slug: string } }>("create_dataset", { title: "Big" });
  const recipe = recipeOf({ url: `${origin}/big.csv`, reader: { format: "csv" } }, [{ name: "id", type: "int64" }]);
  const { run } = await call<{ run: State }>("register_recipe", { dataset: dataset.slug, recipe, start: true });
  const failed = await ended(await call<State>("confirm_run", { run_id: run.run_id, wait_ms: 20_000 }));
  expect(failed).toMatchObject({ state: "failed", failure: { code: "quota_exhausted" } });
  const { bytes } = await buildUsage(workspaceId, new Date());
  expect(bytes).toBeGreaterThan(DAY_BYTES);
  await expect(call("start_run", { dataset: dataset.slug })).rejects.toThrow("daily_quota_exhausted");
  const source = { url: `${origin}/other.csv` };
  await expect(call("start_source_inspection", { source })).rejects.toThrow("daily_quota_exhausted");
});
