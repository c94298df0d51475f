import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { schemasOf } from "@/lib/operations/operation";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { ROUTED } from "@/lib/operations/registry";
import { publishTable } from "@/lib/publish/publish";
import { ADMINISTRATOR, listAudit } from "@/lib/store/audit";
import { listVersions } from "@/lib/store/datasets/tables";
import { recordPublication } from "@/lib/store/datasets/versions";
import { listWorkspaces } from "@/lib/store/people/workspaces";
import { callCommand } from "@/lib/testing/command";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";

useTestState();
const folder = mkdtempSync(join(tmpdir(), "parquetry-datasets-"));
const keys = { own: "", foreign: "" };
const workspaces = { own: "", foreign: "" };
let tableId = "";
let versionId = "";

const publish = async (rows: number) => {
  const file = join(folder, "d.csv");
  writeFileSync(file, `id\n${Array.from({ length: rows }, (_, id) => `${id}\n`).join("")}`);
  const dataset = {
    slug: "rivers",
    title: "Rivers",
    summary: "",
    description: "",
    publisher: { name: "P" },
    license: "MIT",
    topics: [],
  };
  return await publishTable({ file, dataset, table: { slug: "t", name: "T" } }, { now: () => new Date() });
};

beforeAll(async () => {
  for (const who of ["own", "foreign"] as const)
    keys[who] = (await createUseKey({ email: `${who}@example.com`, name: who }, new Date())).key;
  for (const { id, name } of await listWorkspaces()) workspaces[name.startsWith("own") ? "own" : "foreign"] = id;
  ({ table_id: tableId, version_id: versionId } = await publish(3));
});
afterAll(async () => {
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

const run = callCommand;
async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, "--json");
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
const visibility = (...args: string[]) => json("dataset", "visibility", "rivers", ...args);

/** Statuses of every route of the dataset and its table with a key, and whether the catalogue lists it. */
async function seenWith(key: string): Promise<{ statuses: number[]; listed: boolean }> {
  const reading = ROUTED.filter(
    ({ http }) => http.path.startsWith("/api/v2/public/") && /\{(slug|table_id)\}/.test(http.path),
  );
  const statuses = new Set<number>();
  // sequentially: the engine runs two queries of a key at once, and others wait only for a limited time
  for (const op of reading) {
    const values: Record<string, string> = { slug: "rivers", table_id: tableId, version_id: versionId, position: "1" };
    const named = [...op.http.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
    const params = Promise.resolve(Object.fromEntries(named.map((name) => [name, values[name] ?? ""])));
    const headers = { "x-api-key": key, ...(schemasOf(op).body && { "content-type": "application/json" }) };
    const query = /compare_versions|difference/.test(op.name)
      ? `?from=${versionId}&to=${versionId}`
      : op.name === "query_changes"
        ? `?since=${versionId}`
        : "";
    const request = new Request(`http://localhost/${query}`, {
      method: op.http.method,
      headers,
      ...(schemasOf(op).body && { body: '{"columns":["id"]}' }),
    });
    const reply = await serve({ [op.http.method]: op })[op.http.method](request, { params });
    await reply.arrayBuffer();
    statuses.add(reply.status);
  }
  const search = ROUTED.find(({ http }) => http.path === "/api/v2/public/datasets");
  if (!search) throw new Error("no search");
  const found = await serve({ GET: search }).GET(
    new Request("http://localhost/?q=rivers", { headers: { "x-api-key": key } }),
    { params: Promise.resolve({}) },
  );
  const { total } = (await found.json()) as { total: number };
  return { statuses: [...statuses], listed: total > 0 };
}

test("each visibility applies to every route from the next request, and publishing does not change it", async () => {
  expect(await seenWith(keys.foreign)).toEqual({ statuses: [200], listed: true });
  expect(await visibility("withdrawn")).toEqual({ slug: "rivers", from: "public", to: "withdrawn", workspace: null });
  for (const key of [keys.own, keys.foreign]) expect(await seenWith(key)).toEqual({ statuses: [404], listed: false });
  expect(await visibility("private", "--workspace", workspaces.own)).toMatchObject({
    from: "withdrawn",
    to: "private",
    workspace: workspaces.own,
  });
  expect(await seenWith(keys.own)).toEqual({ statuses: [200], listed: true });
  expect(await seenWith(keys.foreign)).toEqual({ statuses: [404], listed: false });
  await publish(4);
  expect(await seenWith(keys.foreign)).toEqual({ statuses: [404], listed: false });
  expect(await json("dataset", "list")).toMatchObject([
    { slug: "rivers", visibility: "private", workspace: workspaces.own, workspace_name: "own@example.com", tables: 1 },
  ]);
  expect(await visibility("private", "--workspace", workspaces.foreign)).toMatchObject({
    workspace: workspaces.foreign,
  });
  expect(await seenWith(keys.own)).toEqual({ statuses: [404], listed: false });
  expect(await visibility("public")).toMatchObject({ to: "public", workspace: workspaces.foreign });
  expect(await seenWith(keys.own)).toEqual({ statuses: [200], listed: true });
});

test("a change is in the log of every workspace concerned, and a non-change is in none", async () => {
  const told = async (workspaceId?: string) =>
    (await listAudit({ workspaceId, limit: 100 }))
      .filter(({ action }) => action === "dataset.visibility_changed")
      .map(({ actor, subject, details }) => [actor, subject, details.from, details.to]);
  const before = await told();
  expect(await told(workspaces.own)).toEqual([
    ["operator", "rivers", "private", "private"],
    ["operator", "rivers", "withdrawn", "private"],
  ]);
  expect(await told(workspaces.foreign)).toEqual([
    ["operator", "rivers", "private", "public"],
    ["operator", "rivers", "private", "private"],
  ]);
  await visibility("public");
  expect(await told()).toEqual(before);
});

test("the audit command prints the log: all of it, a workspace's, or up to a limit", async () => {
  const all = await json("audit", "--limit", "1000");
  expect(all).toHaveLength((await listAudit({ limit: 1000 })).length);
  expect(all.find(({ action }: { action: string }) => action === "dataset.visibility_changed")).toMatchObject({
    actor: "operator",
    actor_email: null,
    subject: "rivers",
    from: null,
  });
  const own = await json("audit", "--workspace", workspaces.own);
  expect(new Set(own.map(({ workspace }: { workspace: string }) => workspace))).toEqual(new Set([workspaces.own]));
  expect(await json("audit", "--limit", "2")).toEqual(all.slice(0, 2));
  expect((await run("audit", "--limit", "1")).stdout).toMatch(
    /^at +action +who +workspace +subject +from +details\n\S+ +[a-z]+\.[a-z_]+ +\S+/,
  );
});

test.each<[string[], RegExp]>([
  [["dataset", "visibility", "nowhere", "public"], /Unknown dataset: nowhere.*parquetry dataset list/],
  [["dataset", "visibility", "rivers", "hidden"], /visibility: .*public.*private.*withdrawn/],
  [
    ["dataset", "visibility", "rivers", "private", "--workspace", "11111111-1111-4111-8111-111111111111"],
    /Unknown workspace: 1111/,
  ],
  [["dataset", "visibility", "rivers", "private", "--workspace", "x"], /workspace: /],
  [["audit", "--limit", "0"], /limit/],
  [["audit", "--workspace", "x"], /workspace/],
])("%s is rejected with what to do about it", async (args, message) => {
  expect(await run(...args)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
});

test("a dataset without an owner cannot become private", async () => {
  await publishTable(
    {
      file: join(folder, "d.csv"),
      dataset: {
        slug: "nobodys",
        title: "N",
        summary: "",
        description: "",
        publisher: { name: "P" },
        license: "MIT",
        topics: [],
      },
      table: { slug: "t", name: "T" },
    },
    { now: () => new Date() },
  );
  expect(await run("dataset", "visibility", "nobodys", "private")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/--workspace ID/),
  });
});

test("a dataset published as private is private from its first version and remains so", async () => {
  const file = join(folder, "secret.csv");
  writeFileSync(file, "id\n1\n");
  const args = [
    "publish",
    file,
    "--dataset",
    "secret",
    "--table",
    "t",
    "--title",
    "S",
    "--publisher",
    "P",
    "--license",
    "MIT",
  ];
  const own = ["--private", "--workspace", workspaces.own];
  expect(await run(...args, "--private")).toMatchObject({ code: 1, stderr: expect.stringMatching(/--workspace ID/) });
  expect(await run(...args, "--workspace", "11111111-1111-4111-8111-111111111111")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Unknown workspace: 1111/),
  });
  const states = async () =>
    (await json("dataset", "list"))
      .filter(({ slug }: { slug: string }) => slug === "secret")
      .map(({ visibility, workspace }: { visibility: string; workspace: string }) => [visibility, workspace]);
  expect(await states()).toEqual([]);
  await json(...args, ...own);
  expect(await states()).toEqual([["private", workspaces.own]]);
  await json(...args);
  await json(...args, ...own);
  expect(await states()).toEqual([["private", workspaces.own]]);
});

test("--private never publishes into a public dataset, even one that became public in the meantime", async () => {
  const file = join(folder, "more.csv");
  writeFileSync(file, "id\n7\n");
  const texts = { title: "R", summary: "", description: "", publisher: { name: "P" }, license: "MIT", topics: [] };
  const access = { visibility: "private" as const, workspaceId: workspaces.own };
  const request = { file, dataset: { slug: "rivers", ...texts, ...access }, table: { slug: "t", name: "T" } };
  await expect(publishTable(request, { now: () => new Date() })).rejects.toThrow(
    /rivers is public .*does not change that/,
  );
  await expect(recordPublication(request, versionId, ADMINISTRATOR)).rejects.toThrow(
    /rivers is public .*does not change that/,
  );
  expect((await listVersions(tableId)).map(({ rows }) => rows)).toEqual([4, 3]);
});
