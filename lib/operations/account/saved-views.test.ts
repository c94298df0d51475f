import { beforeAll, expect, test } from "vitest";
import { admit } from "@/lib/access/authenticate";
import { insideContext } from "@/lib/http/context";
import { credentialsOf } from "@/lib/http/credentials";
import { Failure } from "@/lib/kernel/errors";
import { execute } from "@/lib/operations/execute";
import { openSavedView } from "@/lib/operations/open-view";
import { createWatch } from "@/lib/operations/workspace/watches";
import { SAVED_VIEWS_MAX } from "@/lib/schemas/saved-view";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { changeView, deleteSavedView, listSavedViews, saveView } from "./saved-views";

useTestState();

const QUERY = "chart=line:Date:CO2&title=The+Keeling+curve";
let tableId = "";
let userId = "";
let workspaceId = "";
let own = "";
let stranger = "";

beforeAll(async () => {
  const [one, other] = [await newWorkspace(), await newWorkspace()];
  ({ userId, workspaceId } = one);
  own = await sessionCookie(one.userId);
  stranger = await sessionCookie(other.userId);
  ({ table_id: tableId } = await publishText("curve", "Date,CO2\n1958-03-01,315.7\n"));
});

const save = (cookie: string, body: object) => call(saveView, {}, cookie ? { cookie } : {}, body);
const setVisibility = async (visibility: string, owner: string | null = null) => {
  const { pool } = await database();
  const values = [visibility, owner];
  await pool.query(
    `UPDATE "Dataset" SET visibility = $1::"Visibility", "workspaceId" = $2 WHERE slug = 'curve'`,
    values,
  );
};

/** What a signed-in person, or anyone, finds at a short link. */
async function open(id: string, person?: string) {
  const ctx = person
    ? await admit(
        "account",
        credentialsOf(new Request("http://localhost", { headers: { cookie: person } })),
        insideContext(),
      )
    : insideContext();
  return await execute(openSavedView, { path: { view_id: id } }, ctx).catch((error: unknown) => {
    if (error instanceof Failure && error.code === "not_found") return undefined;
    throw error;
  });
}

test("a signed-in person saves a view to a short link that opens it for everybody", async () => {
  const { status, body } = await save(own, { table_id: tableId, query: QUERY });
  expect(status).toBe(201);
  const { id, url, title } = body.view;
  expect(id).toMatch(/^[0-9A-Za-z]{10}$/);
  expect(url).toMatch(new RegExp(`/v/${id}$`));
  expect(title).toBe("The Keeling curve");
  expect(await open(id)).toMatchObject({ dataset: "curve", table: "rows", query: QUERY });
});

test("a query in SQL is saved to a link of its own kind, and cannot be watched", async () => {
  const { body } = await save(own, { table_id: tableId, page: "sql", query: "t=r:curve/rows&q=FROM+r" });
  expect(await open(body.view.id)).toMatchObject({ dataset: "curve", page: "sql", query: "t=r:curve/rows&q=FROM+r" });
  expect((await save(own, { table_id: tableId, page: "settings", query: QUERY })).status).toBe(400);
  const watch = { channel: "webhook", url: "https://example.com/hook", view: body.view.id };
  const watched = await call(createWatch, { workspace_id: workspaceId }, { cookie: own }, watch);
  expect([watched.status, watched.body.message]).toEqual([400, expect.stringContaining("only in a browser")]);
});

test("nobody saves a view without signing in, of an unknown or withdrawn table, or with an invalid query", async () => {
  expect((await save("", { table_id: tableId, query: QUERY })).body.error).toBe("key_missing");
  const unknown = "5f0c3f0e-1f4f-4d3a-9c43-1b1f3f0f0f0f";
  expect((await save(own, { table_id: unknown, query: QUERY })).status).toBe(404);
  expect((await save(own, { table_id: tableId, query: "a\r\nb" })).status).toBe(400);
  expect((await save(own, { table_id: tableId, query: "x".repeat(8001) })).status).toBe(400);
  await setVisibility("withdrawn");
  expect((await save(own, { table_id: tableId, query: QUERY })).status).toBe(404);
  await setVisibility("public");
});

test("a link to a table that is no longer public is like one that never existed", async () => {
  const { id } = (await save(own, { table_id: tableId, query: QUERY })).body.view;
  for (const visibility of ["private", "withdrawn"]) {
    await setVisibility(visibility);
    expect(await open(id)).toBeUndefined();
  }
  await setVisibility("public");
  expect(await open(id)).toBeDefined();
  for (const bad of ["0000000000", "x".repeat(4000), "' OR 1=1"]) expect(await open(bad)).toBeUndefined();
});

test("members save and open views of a private dataset; for others there is neither table nor link", async () => {
  await setVisibility("private", workspaceId);
  const saved = await save(own, { table_id: tableId, query: QUERY });
  expect(saved.status).toBe(201);
  const { id } = saved.body.view;
  expect((await save(stranger, { table_id: tableId, query: QUERY })).status).toBe(404);
  expect(await open(id, own)).toMatchObject({ dataset: "curve" });
  expect([await open(id, stranger), await open(id)]).toEqual([undefined, undefined]);
  await setVisibility("withdrawn");
  expect(await open(id, own)).toBeUndefined();
  await setVisibility("public", null);
});

test("the list names the tables that a person may read, and no others", async () => {
  const { id } = (await save(own, { table_id: tableId, query: QUERY })).body.view;
  const listed = async () =>
    (await call(listSavedViews, {}, { cookie: own })).body.views.find((view: { id: string }) => view.id === id);
  const named = { dataset: { slug: "curve" }, table: { slug: "rows" } };
  expect(await listed()).toMatchObject(named);
  await setVisibility("private", workspaceId);
  expect(await listed()).toMatchObject(named);
  for (const visibility of ["private", "withdrawn"]) {
    await setVisibility(visibility, (await newWorkspace()).workspaceId);
    expect(await listed()).toMatchObject({ dataset: null, table: null, title: "The Keeling curve" });
  }
  await setVisibility("public", null);
});

test("people rename only their own views, and nothing else of them changes", async () => {
  const query = "filter=CO2:gt:300&chart=line%3ADate%3ACO2&sort=%43O2&title=The+Keeling+curve&note=é%20è";
  const { id, url } = (await save(own, { table_id: tableId, query })).body.view;
  const rename = (cookie: string, title: unknown) => call(changeView, { view_id: id }, { cookie }, { title });
  expect((await rename(stranger, "Mine")).status).toBe(404);
  const renamed = (await rename(own, " Rising CO₂ & more ")).body.view;
  expect(renamed).toMatchObject({ id, url, title: "Rising CO₂ & more" });
  expect(await open(id)).toMatchObject({ query: renamed.query });
  const others = query.replace("&title=The+Keeling+curve", "");
  expect(renamed.query).toBe(`${others}&title=Rising+CO%E2%82%82+%26+more`);
  expect((await rename(own, null)).body.view).toMatchObject({ title: null, query: others });
  expect((await rename(own, "x".repeat(121))).status).toBe(400);
  expect((await rename(own, "a\nb")).status).toBe(400);
});

test("people list and delete only their own views", async () => {
  const { id } = (await save(own, { table_id: tableId, query: QUERY })).body.view;
  const ids = async (cookie: string) =>
    (await call(listSavedViews, {}, { cookie })).body.views.map((view: { id: string }) => view.id);
  expect(await ids(own)).toContain(id);
  expect(await ids(stranger)).toEqual([]);
  expect((await call(deleteSavedView, { view_id: id }, { cookie: stranger })).status).toBe(404);
  expect((await call(deleteSavedView, { view_id: id }, { cookie: own })).status).toBe(200);
  expect(await open(id)).toBeUndefined();
});

test("the number of views per person is limited, and links outlive the account", async () => {
  const { id } = (await save(own, { table_id: tableId, query: QUERY })).body.view;
  const { pool } = await database();
  await pool.query(
    `INSERT INTO "SavedView" (id, "tableId", "userId", query, "createdAt")
     SELECT 'filler' || n, $1::uuid, $2::uuid, '', now() FROM generate_series(1, $3) n`,
    [tableId, userId, SAVED_VIEWS_MAX],
  );
  expect((await save(own, { table_id: tableId, query: QUERY })).body.error).toBe("conflict");
  await pool.query(`DELETE FROM "User" WHERE id = $1::uuid`, [userId]);
  expect(await open(id)).toBeDefined();
});
