import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKey } from "@/lib/access/use-keys";
import { canonicalJson } from "@/lib/builds/document/canonical";
import { readTree } from "@/lib/builds/document/tree";
import { plainResponse } from "@/lib/http/deferred-body";
import { baseUrl } from "@/lib/kernel/env";
import type { BuiltLineage } from "@/lib/schemas/lineage";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { type Builder, startBuilder } from "@/lib/testing/builder";
import { useTestState } from "@/lib/testing/database";
import { handle } from "./handle";

const FILE = "gauge,level\nA,12\nB,15\n";
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const office = createServer((_request, reply) => reply.writeHead(200, { "content-type": "text/csv" }).end(FILE));
const port = await new Promise<number>((resolve) =>
  office.listen(0, "127.0.0.1", () => resolve((office.address() as AddressInfo).port)),
);
useTestState({ SOURCE_PRIVATE_HOSTS: `127.0.0.1:${port}` });

let builder: Builder;
let key = "";
beforeAll(async () => {
  builder = await startBuilder();
  const { workspaceId, userId } = builder;
  ({ key } = await createKey({ kind: "use", name: "k", workspaceId, userId, expiresAt: null }, ADMINISTRATOR));
});
afterAll(async () => {
  await builder?.close();
  office.close();
});

async function call<T extends object>(name: string, args: Record<string, unknown>): Promise<T> {
  const { structuredContent, content, isError } = await builder.client.callTool({ name, arguments: args });
  if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
  return structuredContent as T;
}

async function read(path: string, as?: string): Promise<{ status: number; text: string }> {
  const request = new Request(`${baseUrl()}${path}`, { headers: as === undefined ? {} : { "x-api-key": as } });
  const reply = plainResponse(await handle(request), request);
  return { status: reply.status, text: await reply.text() };
}

async function get(path: string, as?: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const { status, text } = await read(path, as);
  return { status, body: JSON.parse(text) as Record<string, unknown> };
}

const recipe = (source: string, checks = "{check: row_count, min: 2}") => `
schema_version: service-recipe.v1
sources: [${source}]
tables:
  - name: levels
    from: office
    columns: [{name: gauge, type: string}, {name: level, type: int64}]
    primary_key: [gauge]
    checks: [${checks}]
publish: {license: CC0-1.0, publisher: {name: Office of lineage}}
`;
const OFFICE =
  `{name: office, kind: http, url: "http://127.0.0.1:${port}/levels.csv?lang=en", ` +
  "license: CC-BY-4.0, title: Levels of the office, reader: {format: csv}}";

/** Builds a dataset and makes it current, private to its workspace. */
async function build(title: string, text: string): Promise<{ slug: string; tableId: string; versionId: string }> {
  const { dataset } = await call<{ dataset: { slug: string } }>("create_dataset", { title });
  const { slug } = dataset;
  const { run } = await call<{ run: { run_id: string } }>("register_recipe", {
    dataset: slug,
    recipe: text,
    start: true,
  });
  const { run_id } = run;
  interface Sampled {
    state: string;
    sample?: { recipe_digest: string };
  }
  let sampled = await call<Sampled>("confirm_run", { run_id, wait_ms: 20_000 });
  while (!sampled.sample)
    sampled = await call<Sampled>("get_run", { run_id, known_state: sampled.state, wait_ms: 20_000 });
  const { recipe_digest } = sampled.sample;
  let { state } = await call<{ state: string }>("approve_full_run", { run_id, recipe_digest, wait_ms: 20_000 });
  while (state !== "sealed")
    ({ state } = await call<{ state: string }>("get_run", { run_id, known_state: state, wait_ms: 20_000 }));
  const { receipts } = await call<{ receipts: [{ table_id: string; version_id: string }] }>("promote_table", {
    dataset: slug,
  });
  return { slug, tableId: receipts[0].table_id, versionId: receipts[0].version_id };
}

/** An owner's decision in the browser, here made directly in the database. */
async function makePublic(slug: string): Promise<void> {
  const { prisma } = await database();
  await prisma.dataset.update({ where: { slug }, data: { visibility: "public" } });
}

test("anyone can read how a public version was built, and verify each digest", async () => {
  const { slug, tableId, versionId } = await build("Lineage levels", recipe(OFFICE));
  const path = `/api/v2/public/tables/${tableId}/lineage`;
  const recipePath = `${path}?version_id=${versionId}&recipe=true`;
  expect([(await get(path)).status, (await get(path, key)).status]).toEqual([404, 200]);
  await makePublic(slug);
  const digest = `sha256:${sha256(FILE)}`;
  const { body } = await get(path);
  expect(body).toMatchObject({
    schema_version: "service-public-table-lineage.v1",
    table: { id: tableId, version_id: versionId },
    built: {
      recipe: { revision: 1, url: `${baseUrl()}${recipePath}` },
      run: { engine: { readers: 1 } },
      sources: [
        {
          ...{ name: "office", title: "Levels of the office", kind: "http", license: "CC-BY-4.0", bytes: FILE.length },
          ...{ url: `http://127.0.0.1:${port}/levels.csv`, parts_total: 1 },
          parts: [{ partition: null, content_digest: digest, bytes: FILE.length }],
        },
      ],
      unlisted_source_count: 0,
      checks: [{ check: "row_count", outcome: "passed" }, { check: "row_count_change" }],
      columns: [
        { name: "gauge", kind: "copied", from: [{ source: "office", column: "gauge" }] },
        { name: "level", kind: "parsed", from: [{ source: "office", column: "level" }] },
      ],
    },
  });
  const shown = (readTree((await read(recipePath)).text) as { built: BuiltLineage }).built.recipe;
  expect([shown.is_whole, shown.document_digest]).toEqual([true, `sha256:${sha256(canonicalJson(shown.document))}`]);
  await expectMetadata(slug, tableId, digest);
});

/** Croissant, DCAT and the dataset's own document name the same source. */
async function expectMetadata(slug: string, tableId: string, digest: string): Promise<void> {
  const url = `http://127.0.0.1:${port}/levels.csv`;
  const { body: dataset } = await get(`/api/v2/public/datasets/${slug}`);
  expect(dataset.sources).toEqual([{ name: "Levels of the office", url, license: "CC-BY-4.0" }]);
  const { body: croissant } = await get(`/api/v2/public/datasets/${slug}/croissant.json`);
  expect(croissant).toMatchObject({
    "prov:wasDerivedFrom": [{ "@id": url, "prov:label": "Levels of the office" }],
    distribution: [
      {
        "prov:wasDerivedFrom": [{ "@id": `urn:${digest}`, "prov:atLocation": { "@id": url } }],
        "prov:wasGeneratedBy": {
          "@type": "prov:Activity",
          "prov:used": { "@id": expect.stringContaining("&recipe=true") },
        },
      },
    ],
  });
  const { body: catalogue } = await get("/catalog.jsonld");
  const entries = (catalogue["dcat:dataset"] ?? []) as Record<string, unknown>[];
  const own = entries.find((entry) => entry["dct:identifier"] === `${baseUrl()}/datasets/${slug}`);
  expect(own?.["prov:wasDerivedFrom"]).toMatchObject([{ "@id": url, "rdfs:label": "Levels of the office" }]);
  expect(JSON.stringify([dataset, croissant, own])).not.toContain("lang=en");
  expect(tableId).not.toBe("");
}

test("later drafts and versions of other tables are not revealed", async () => {
  const { slug, tableId } = await build("Lineage drafts", recipe(OFFICE));
  await makePublic(slug);
  await call("register_recipe", { dataset: slug, recipe: recipe(OFFICE, "{check: row_count, min: 1}") });
  const { body } = await get(`/api/v2/public/tables/${tableId}/lineage?recipe=true`);
  expect(body.built).toMatchObject({ recipe: { revision: 1, document: { tables: [{ checks: [{ min: 2 }] }] } } });
  const other = await build("Lineage of another", recipe(OFFICE));
  const foreign = `/api/v2/public/tables/${tableId}/lineage?version_id=${other.versionId}`;
  expect((await get(foreign)).status).toBe(404);
});

test("a recipe that its workspace hides, or that reads a private table, is not shown", async () => {
  const { slug, tableId } = await build("Lineage hidden", recipe(OFFICE));
  await makePublic(slug);
  const { prisma } = await database();
  await prisma.build.updateMany({ where: { dataset: { slug } }, data: { showsRecipe: false } });
  const { body } = await get(`/api/v2/public/tables/${tableId}/lineage?recipe=true`);
  expect(JSON.stringify(body)).not.toContain('document":');
  expect(body.built).toMatchObject({
    recipe: { url: null },
    columns: [],
    checks: [{ message: null }, { message: null }],
  });

  const inner = await build("Lineage inner", recipe(OFFICE));
  const outer = await build("Lineage outer", recipe(`{name: office, kind: table, table: ${inner.slug}/levels}`));
  await makePublic(outer.slug);
  const told = await get(`/api/v2/public/tables/${outer.tableId}/lineage?recipe=true`);
  expect(told.body.built).toMatchObject({ sources: [], unlisted_source_count: 1, recipe: { url: null } });
  expect(JSON.stringify(told.body)).not.toContain(inner.slug);
  await makePublic(inner.slug);
  const open = await get(`/api/v2/public/tables/${outer.tableId}/lineage`);
  const url = `${baseUrl()}/datasets/${inner.slug}?table=levels`;
  expect(open.body.built).toMatchObject({ sources: [{ kind: "table", url }], unlisted_source_count: 0 });
  const { body: dataset } = await get(`/api/v2/public/datasets/${outer.slug}`);
  expect(dataset.sources).toEqual([{ name: "Lineage inner", url, license: "CC0-1.0" }]);
});
