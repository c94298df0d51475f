import { expect, test } from "vitest";
import { stepRows } from "@/lib/operations/runs/step-rows";
import { useOffice } from "@/lib/testing/office";
import { sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";

const place = await useOffice();
const { office, recipe, register, sample, callOverHttp } = place;

const cookieOf = async (userId: string) => ({ cookie: await sessionCookie(userId) });

test("members see the rows before and after a step of the newest sample, and nobody else does", async () => {
  office.file = "gauge;level\nA;1\nB;2\n";
  const written = recipe(({ tables: [table] }) => {
    table?.steps.push({ step: "filter", filters: [{ column: "level", operator: "gt", value: 1 }] });
  });
  const dataset = await register("Step rows", written);
  const path = { workspace_id: place.builder.workspaceId, dataset };
  const own = await cookieOf(place.builder.userId);
  const body = { table: "levels", step: 1, recipe: JSON.stringify(written) };
  const early = await callOverHttp(stepRows, path, own, body);
  expect([early.status, early.body.message]).toEqual([
    404,
    "No sample has kept rows. Run a sample of the recipe first.",
  ]);
  const { run_id } = await sample(dataset);

  const found = await callOverHttp(stepRows, path, own, body);
  expect(found.status).toBe(200);
  expect(found.body).toMatchObject({
    ...{ run_id, revision: 1, table: "levels", step: 1, kind: "filter", as_written: true },
    before: { rows: 2, columns: [{ name: "gauge" }, { name: "level", type: "int32" }] },
    after: { rows: 1, cells: [["B", "2"]] },
  });
  expect(found.body.before.cells).toEqual([
    ["A", "1"],
    ["B", "2"],
  ]);
  const asked = async (change: object) => (await callOverHttp(stepRows, path, own, { ...body, ...change })).body;
  const other = recipe(({ tables: [table] }) => {
    table?.steps.push({ step: "filter", filters: [{ column: "level", operator: "gt", value: 9 }] });
  });
  expect(await asked({ recipe: JSON.stringify(other) })).toMatchObject({ as_written: false });
  expect(await asked({ recipe: JSON.stringify(other), step: 0 })).toMatchObject({ as_written: true });
  expect(await asked({ recipe: "a: [" })).toMatchObject({ as_written: null });
  expect(await asked({ step: 7 })).toMatchObject({ error: "not_found" });
  expect(await asked({ step: -1 })).toMatchObject({ error: "invalid_value" });

  const stranger = await newWorkspace();
  const asStranger = await cookieOf(stranger.userId);
  expect((await callOverHttp(stepRows, path, asStranger, body)).status).toBe(404);
  const inOwn = { workspace_id: stranger.workspaceId, dataset };
  expect((await callOverHttp(stepRows, inOwn, asStranger, body)).status).toBe(404);
  expect((await callOverHttp(stepRows, path, {}, body)).status).toBe(401);
});

test("a sample that fails shows the rows that the failing step got", async () => {
  office.file = "gauge;level\nA;1\nB;many\n";
  const dataset = await register("Failing step", recipe());
  const run = await sample(dataset);
  expect(run.state).toBe("failed");
  const path = { workspace_id: place.builder.workspaceId, dataset };
  const own = await cookieOf(place.builder.userId);
  const { body } = await callOverHttp(stepRows, path, own, { table: "levels", step: 0 });
  expect(body.before.cells[1]).toEqual(["B", "many"]);
  expect(body.after.cells[1]).toEqual(["B", null]);
});
