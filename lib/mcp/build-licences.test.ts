import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { tar } from "@/lib/kernel/tar";
import { database } from "@/lib/store/postgres/database";
import { useBuilder } from "@/lib/testing/builder";
import { useTestState } from "@/lib/testing/database";

/** The registry's entry for one package, which may have a different version and licence. */
const registry = { version: "1.0.0", license: "MIT", rows: [{ id: 1 }] };
const server: Server = createServer((request, reply) => {
  const tarball = gzipSync(tar([["package/db.json", Buffer.from(JSON.stringify(registry.rows))]]));
  if (request.url?.endsWith(".tgz")) return void reply.end(tarball);
  const { version, license } = registry;
  if (request.url === `/things/${version}`) return void reply.end(JSON.stringify({ license }));
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const dist = { tarball: `https://registry.example.org/things/-/things-${version}.tgz`, integrity };
  reply.end(JSON.stringify({ "dist-tags": { latest: version }, versions: { [version]: { dist } } }));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
useTestState({ SOURCE_PRIVATE_HOSTS: host, PACKAGE_REGISTRY: `http://${host}` });

const builder = useBuilder(server);

// biome-ignore lint/suspicious/noExplicitAny: replies have many shapes, and the test says what it expects of them
async function call(name: string, args: Record<string, unknown>): Promise<any> {
  const { structuredContent, content, isError } = await builder().client.callTool({ name, arguments: args });
  if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
  return structuredContent;
}

async function rest(run_id: string) {
  let run = await call("get_run", { run_id });
  while (/^(?:queued|running)/.test(run.state))
    run = await call("get_run", { run_id, known_state: run.state, wait_ms: 20_000 });
  return run;
}

const RECIPE = {
  schema_version: "service-recipe.v1",
  sources: [
    {
      name: "things",
      kind: "package",
      registry: "npm",
      package: "things",
      path: "db.json",
      reader: { format: "json" },
    },
  ],
  tables: [{ name: "rows", from: "things", columns: [{ name: "id", type: "int64" }], primary_key: ["id"] }],
  publish: { license: "MIT", publisher: { name: "Makers of things" } },
};

test("a package with a changed licence is sealed, does not become current, and needs a new approval", async () => {
  const { dataset } = await call("create_dataset", { title: "Things" });
  const { run } = await call("register_recipe", { dataset: dataset.slug, recipe: RECIPE, start: true });
  await call("confirm_run", { run_id: run.run_id });
  const { result } = await rest(run.run_id);
  await call("approve_full_run", { run_id: run.run_id, recipe_digest: result.recipe_digest });
  await rest(run.run_id);
  await call("promote_table", { dataset: dataset.slug });

  const refreshed = async () => {
    const { run_id } = await call("start_run", { dataset: dataset.slug, confirm: true });
    return rest(run_id);
  };
  Object.assign(registry, { version: "1.1.0", rows: [{ id: 1 }, { id: 2 }] });
  expect(await refreshed()).toMatchObject({ state: "sealed", outcome: "released" });
  expect(await currentRows()).toBe(2);

  Object.assign(registry, { version: "2.0.0", license: "BUSL-1.1", rows: [{ id: 1 }, { id: 2 }, { id: 3 }] });
  const held = await refreshed();
  expect(held).toMatchObject({ state: "sealed", outcome: "released" });
  const { events } = await call("run_events", { run_id: held.run_id });
  const words = "The licence that things states changed after the approval: it was MIT, and is BUSL-1.1.";
  expect(events.map(({ message }: { message: string }) => message)).toContainEqual(expect.stringContaining(words));
  expect(await currentRows()).toBe(2);
  expect(await refreshed()).toMatchObject({ state: "awaiting_approval" });

  async function currentRows() {
    const { prisma } = await database();
    const table = await prisma.table.findFirstOrThrow({
      where: { dataset: { slug: dataset.slug } },
      select: { currentVersion: { select: { rows: true } } },
    });
    return Number(table.currentVersion?.rows);
  }
});
