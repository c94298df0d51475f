import { describe, expect, test } from "vitest";
import { getSourceInspection, startSourceInspection } from "@/lib/operations/sources/inspect-source";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { changeSecretHosts } from "@/lib/store/sources/secrets";
import { useInspector } from "@/lib/testing/inspector";
import { call as callRoute, sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { storeSecret } from "@/lib/vault/secrets";

const TOKEN = "token-of-the-source-0123456789";

const inspector = await useInspector({ BUILD_INSPECTIONS_HOUR: "20" });
const { sources, call, inspect } = inspector;

test("an office's file: reader, columns and steps that a recipe accepts without changes", async () => {
  const { reply, text } = await inspect("/office.csv");
  expect(reply).toMatchObject({
    state: "done",
    transport: { status: 200, media_type: "text/csv", etag: true },
    encoding: { value: "windows-1252" },
    reader: {
      format: "csv",
      options: { delimiter: ";", encoding: "windows-1252", header: { rows: [3] }, stop_at: { blank_row: true } },
    },
    rows: { count: 30, estimate: null },
    tried: true,
    licence_hints: [expect.stringContaining("DL-DE-BY-2.0")],
  });
  expect(text).toMatch(/^DONE; inspection [\s\S]*Ort string[\s\S]*\nNext: Put source into sources/);
  const { dataset } = (await call("create_dataset", { title: "Levels" })).reply as unknown as {
    dataset: { slug: string };
  };
  const recipe = {
    schema_version: "service-recipe.v1",
    sources: [reply.source],
    tables: [{ name: "levels", from: "source", ...reply.table }],
    publish: { license: "DL-DE-BY-2.0", publisher: { name: "Office" } },
  };
  const registered = await call("register_recipe", { dataset: dataset.slug, recipe, start: true });
  expect(registered.reply).toMatchObject({ checked: "full", unchecked: [] });
  const { run } = registered.reply as unknown as { run: { run_id: string } };
  const confirmed = await call("confirm_run", { run_id: run.run_id, wait_ms: 20_000 });
  expect(confirmed.reply).toMatchObject({ state: "awaiting_approval", sample: { tables: [{ rows: 30, columns: 4 }] } });
  const queried = await call("query_run", {
    run_id: run.run_id,
    table: "levels",
    columns: ["Code", "Wert", "Tag"],
    limit: 1,
  });
  expect(queried.reply).toMatchObject({ rows: [["0100", 0.5, "2025-12-01"]] });
});

test("the same request gets the same reply without reading the source again", async () => {
  const [first, again] = [await inspect("/login"), await inspect("/login")];
  expect(again.reply.inspection_id).toBe(first.reply.inspection_id);
  expect(sources.asked.length).toBe(1);
  expect(first.reply).toMatchObject({ format: { value: "html" }, columns: [] });
  expect(first.reply.reader).toBeUndefined();
});

describe("packed files are opened:", () => {
  const plain = { tried: true, rows: { count: 100 }, columns: [{ name: "id", type: "int64" }, { name: "name" }] };
  test("gzip", async () => {
    expect((await inspect("/plain.csv.gz")).reply).toMatchObject({ ...plain, containers: [{ kind: "gzip" }] });
  });
  test("the one member with data of a zip", async () => {
    const { reply } = await inspect("/plain.zip");
    expect(reply).toMatchObject({
      ...plain,
      containers: [{ kind: "zip", chosen: "data/plain.csv", members: [{ name: "readme.md" }, {}] }],
      source: { archive: { member: "data/plain.csv" }, reader: { format: "csv" } },
    });
  });
  test("a workbook, whose largest sheet is proposed", async () => {
    expect((await inspect("/book.xlsx")).reply).toMatchObject({
      sheets: [{ name: "Notes" }, { name: "Levels", rows: 5, columns: 2 }],
      reader: { format: "xlsx", options: { sheet: "Levels" } },
      columns: [
        { name: "name", type: "string" },
        { name: "level", type: "int64" },
      ],
      rows: { count: 4 },
    });
  });
});

test("lines of JSON", async () => {
  expect((await inspect("/lines.ndjson")).reply).toMatchObject({ reader: { format: "ndjson" }, rows: { count: 40 } });
});

test("a file larger than what is inspected: its end too, and the approximate number of rows", async () => {
  const { reply } = await inspect("/big.csv");
  expect(reply.transport).toMatchObject({ resumable: true });
  expect(reply.reader?.options).toEqual({ skip_footer: 1 });
  expect(reply.rows?.count).toBeNull();
  expect(sources.asked.length).toBe(2);
});

test("a given reader is tried, and its failures are reported by name", async () => {
  const { reply } = await inspect("/office.csv", { reader: { format: "csv", options: { delimiter: ";" } } });
  expect(reply).toMatchObject({ state: "done", tried: false });
  expect(reply.warnings).toEqual(
    expect.arrayContaining([expect.stringMatching(/fails with (?:encoding_invalid|header)/)]),
  );
});

test("failures have a code and what to do", async () => {
  const { reply, text } = await inspect("/nowhere");
  expect(reply).toMatchObject({ state: "failed", failure: { code: "source_status", fix: expect.any(String) } });
  expect(text).toMatch(/^FAILED: source_status: 127\.0\.0\.1:\d+ answered with status 404\./);
  const refused = await call("start_source_inspection", {
    source: { url: "http://169.254.169.254/latest" },
    wait_ms: 20_000,
  });
  expect(refused.reply).toMatchObject({ state: "failed", failure: { code: "source_refused" } });
});

test("faults of the source are reported before anything is requested", async () => {
  const { isError, text } = await call("start_source_inspection", {
    source: { url: `${sources.origin}/x?api_key=abc`, querry: {} },
  });
  expect(isError).toBe(true);
  expect(text).toMatch(/\/source\/querry: Unknown key[\s\S]*\/source\/url: A URL cannot contain secrets/);
  expect(sources.asked).toEqual([]);
});

test("a credential goes to the hosts that a person listed, and is stored nowhere", async () => {
  const { workspaceId } = inspector.builder();
  await storeSecret(ADMINISTRATOR, workspaceId, { name: "api", kind: "bearer", token: TOKEN }, new Date());
  const source = { url: `${sources.origin}/lines.ndjson`, credential: "api" };
  const refused = await call("start_source_inspection", { source });
  expect([refused.isError, sources.asked.length]).toEqual([true, 0]);
  expect(refused.text).toMatch(/^conflict/);
  await changeSecretHosts(ADMINISTRATOR, { workspaceId, name: "api" }, ["127.0.0.1"]);
  const { reply } = await call("start_source_inspection", { source, wait_ms: 20_000 });
  expect(reply).toMatchObject({ state: "done", source: { credential: "api" } });
  expect(sources.asked[0]?.authorization).toBe(`Bearer ${TOKEN}`);
  const { prisma } = await database();
  expect(
    JSON.stringify(await prisma.inspection.findMany(), (_, value) =>
      String(value) === "[object Object]"
        ? value
        : value === null
          ? null
          : typeof value === "bigint"
            ? String(value)
            : value,
    ),
  ).not.toContain(TOKEN);
});

test("parts can be shown separately, and foreign inspections are unknown", async () => {
  const { reply } = await inspect("/office.csv");
  const { inspection_id } = reply;
  const shown = await call("get_source_inspection", { inspection_id, show: ["reader"] });
  expect(Object.keys(shown.reply).sort()).toEqual(["inspection_id", "next", "reader", "source", "state", "warnings"]);
  const unknown = await call("get_source_inspection", { inspection_id: crypto.randomUUID() });
  expect([unknown.isError, unknown.text.split(":")[0]]).toEqual([true, "not_found"]);
});

test("the studio's routes answer a member alike, and nobody else", async () => {
  const { workspaceId, userId } = inspector.builder();
  const cookie = await sessionCookie(userId);
  const body = { source: { url: `${sources.origin}/login` }, wait_ms: 20_000 };
  const started = await callRoute(startSourceInspection, { workspace_id: workspaceId }, { cookie }, body);
  expect([started.status, started.body.state]).toEqual([201, "done"]);
  const path = { workspace_id: workspaceId, inspection_id: started.body.inspection_id };
  const got = await callRoute(getSourceInspection, path, { cookie });
  expect([got.status, got.body]).toEqual([200, started.body]);
  expect((await callRoute(getSourceInspection, path, {})).status).toBe(401);
  const stranger = { cookie: await sessionCookie((await newWorkspace()).userId) };
  expect((await callRoute(getSourceInspection, path, stranger)).status).toBe(404);
});

test("the hour's inspections are counted exactly", async () => {
  const asked = await Promise.all(Array.from({ length: 20 }, (_, at) => inspect(`/nowhere-${at}`, { wait_ms: 0 })));
  const { prisma } = await database();
  expect(await prisma.inspection.count()).toBe(20);
  const refused = asked.filter(({ isError }) => isError);
  expect(refused.length).toBeGreaterThan(0);
  for (const { text } of refused) expect(text).toMatch(/^rate_limited: Hourly quota of 20 inspections reached/);
});
