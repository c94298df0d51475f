import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { sha256Hex } from "@/lib/kernel/sha256";
import { snapshotPath } from "@/lib/sources/snapshots";
import { database } from "@/lib/store/database";
import { useBuilder } from "@/lib/testing/builder";
import { useTestState } from "@/lib/testing/database";
import { levelsRecipe } from "@/lib/testing/office";

const FILE = "gauge;level\nA;1\nB;2\n";
/** What the source was asked with, and what it answered. */
let answered: [string | undefined, number][] = [];
const server = createServer((request, reply) => {
  const isKnown = request.headers["if-none-match"] === '"1"';
  answered.push([request.headers["if-none-match"], isKnown ? 304 : 200]);
  reply.writeHead(isKnown ? 304 : 200, { "content-type": "text/csv", etag: '"1"' }).end(isKnown ? "" : FILE);
});
const port = await new Promise<number>((resolve) =>
  server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
);
useTestState({ SOURCE_PRIVATE_HOSTS: `127.0.0.1:${port}` });
const builder = useBuilder(server);

// biome-ignore lint/suspicious/noExplicitAny: replies have many shapes, and each test says what it expects of them
async function call(name: string, args: Record<string, unknown>): Promise<any> {
  const { structuredContent, content, isError } = await builder().client.callTool({ name, arguments: args });
  if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
  return structuredContent;
}

async function rest(run_id: string) {
  let run = await call("get_run", { run_id });
  while (run.poll_after_ms !== undefined)
    run = await call("get_run", { run_id, known_state: run.state, wait_ms: 20_000 });
  return run;
}

async function refreshed(dataset: string) {
  answered = [];
  const { prisma } = await database();
  await prisma.run.updateMany({ data: { createdAt: new Date(Date.now() - 60_000) } }); // or it is the call of before
  return rest((await call("start_run", { dataset })).run_id);
}

test("a source is asked for all of its bytes where those of its last read are lost or damaged", async () => {
  const { dataset } = await call("create_dataset", { title: "Levels" });
  const recipe = levelsRecipe(`http://127.0.0.1:${port}/levels.csv`);
  await call("register_recipe", { dataset: dataset.slug, recipe });
  const sample = await rest((await call("start_run", { dataset: dataset.slug, confirm: true })).run_id);
  await call("approve_full_run", { run_id: sample.run_id, recipe_digest: sample.result.recipe_digest });
  expect(await rest(sample.run_id)).toMatchObject({ state: "sealed" });
  await call("promote_table", { dataset: dataset.slug });

  expect(await refreshed(dataset.slug)).toMatchObject({ state: "sealed", outcome: "unchanged" });
  expect(answered).toEqual([['"1"', 304]]);

  const file = snapshotPath(sha256Hex(FILE));
  rmSync(file); // as after a restore of a backup that did not hold it
  expect(await refreshed(dataset.slug)).toMatchObject({ state: "sealed", outcome: "unchanged" });
  expect(answered).toEqual([[undefined, 200]]);

  writeFileSync(file, "something else");
  expect(await refreshed(dataset.slug)).toMatchObject({ state: "sealed", outcome: "unchanged" });
  expect(answered).toEqual([
    ['"1"', 304],
    [undefined, 200],
  ]);
});
