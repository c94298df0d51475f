import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publishTable } from "@/lib/publish/publish";
import type { PublishReceipt } from "@/lib/schemas/publish";
import { versionSchema } from "@/lib/schemas/table";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";
import { getCitation } from "./get-citation";
import { getVersion } from "./get-version";

useTestState();

const folder = mkdtempSync(join(tmpdir(), "parquetry-version-"));
let old: PublishReceipt;
let current: PublishReceipt;

beforeAll(async () => {
  old = await publish("words", "id,word\n2,two\n1,one\n", "2024-03-01");
  current = await publish("words", "id,word,length\n1,one,3\n2,two,3\n3,three,5\n", "2025-03-01");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function publish(slug: string, csv: string, day: string) {
  const file = join(folder, `${slug}.csv`);
  writeFileSync(file, csv);
  const dataset = {
    slug,
    title: "Words",
    summary: "",
    description: "",
    publisher: { name: "Tests" },
    license: "CC0-1.0",
    topics: [],
  };
  return publishTable(
    {
      file,
      dataset,
      table: { slug: "rows", name: "Rows" },
      orderBy: ["id"],
      primaryKey: ["id"],
      publishedAt: new Date(day),
    },
    { now: () => new Date() },
  );
}

async function ask(operation: typeof getVersion | typeof getCitation, path: Record<string, string>, search = "") {
  const reply = await serve({ GET: operation }).GET(new Request(`http://localhost/x${search}`), {
    params: Promise.resolve(path),
  });
  return { status: reply.status, body: await reply.json() };
}

test("an older version has its own columns, order, digest and number, and names the current one", async () => {
  const { status, body } = await ask(getVersion, { slug: "words", version_id: old.version_id });
  expect(status).toBe(200);
  const { version, ...rest } = versionSchema.parse(body);
  expect(version).toEqual({
    version_id: old.version_id,
    label: null,
    other_labels: [],
    content_digest: old.content_digest,
    published_at: "2024-03-01T00:00:00.000Z",
    rows: 2,
    bytes: old.bytes,
    change: "first",
    sequence: 1,
    order_by: ["id"],
    primary_key: ["id"],
    is_current: false,
    notes: null,
  });
  expect(rest.columns.map(({ name, profile }) => [name, profile.null_count])).toEqual([
    ["id", 0],
    ["word", 0],
  ]);
  expect([rest.current_version_id, rest.previous_version_id]).toEqual([current.version_id, null]);
  expect(rest.download_url).toContain(`/tables/${old.table_id}/current?version_id=${old.version_id}`);
});

test("the current version says so, and names the previous one", async () => {
  const { body } = await ask(getVersion, { slug: "words", version_id: current.version_id });
  expect(body.version).toMatchObject({ is_current: true, sequence: 2, change: "columns_added", rows: 3 });
  expect(body.previous_version_id).toBe(old.version_id);
});

test("a citation of a version names only that version, its year and its page", async () => {
  const { body } = await ask(getCitation, { slug: "words" }, `?version_id=${old.version_id}`);
  for (const form of [body.text, body.bibtex, body.ris, body.csl_json, body.cff]) {
    expect(form).toContain(old.content_digest);
    expect(form).toContain("2024");
    expect(form).toContain(`/datasets/words/versions/${old.version_id}`);
    expect(form).not.toContain(current.version_id);
  }
  const whole = (await ask(getCitation, { slug: "words" })).body;
  expect(whole.url).toMatch(new RegExp(`/datasets/words/versions/${current.version_id}$`));
  expect(whole.text).toContain(whole.url);
});

test("another dataset's version, an unknown and a malformed id are 404; a withdrawn one is 410", async () => {
  const foreign = await publish("others", "id\n1\n", "2024-01-01");
  for (const id of [foreign.version_id, "0f4b1b9e-6f0c-4c79-8f53-1b1f5a4c0a01", "latest"]) {
    expect((await ask(getVersion, { slug: "words", version_id: id })).status).toBe(404);
  }
  expect((await ask(getCitation, { slug: "words" }, `?version_id=${foreign.version_id}`)).status).toBe(404);
  const { pool } = await database();
  await pool.query(`UPDATE "Version" SET "withdrawnAt" = now() WHERE id = $1`, [old.version_id]);
  expect(await ask(getVersion, { slug: "words", version_id: old.version_id })).toMatchObject({
    status: 410,
    body: { error: "version_withdrawn" },
  });
  expect((await ask(getCitation, { slug: "words" }, `?version_id=${old.version_id}`)).status).toBe(410);
  expect(
    (await ask(getVersion, { slug: "words", version_id: current.version_id })).body.previous_version_id,
  ).toBeNull();
});
