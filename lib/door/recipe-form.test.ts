import { beforeAll, expect, test } from "vitest";
import { authenticateSession } from "@/lib/auth/session";
import { FORM_BYTES_MAX } from "@/lib/http/auth-form";
import { plainResponse } from "@/lib/http/deferred-body";
import { LONG_FORM_BYTES_MAX } from "@/lib/http/form-endpoint";
import { shownFormReply } from "@/lib/http/form-reply";
import { studioFields } from "@/lib/http/form-token";
import { baseUrl } from "@/lib/kernel/env";
import { createDataset } from "@/lib/operations/datasets/create-dataset";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { levelsRecipe } from "@/lib/testing/office";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { handle } from "./handle";

useTestState();

const RECIPE = levelsRecipe("https://office.example.org/levels.csv");
let person: { cookie: string; id: string; fields: Readonly<Record<string, string>> };

beforeAll(async () => {
  const { workspaceId, userId } = await newWorkspace();
  await (await database()).prisma.workspace.update({ where: { id: workspaceId }, data: { plan: "paid" } });
  const cookie = await sessionCookie(userId);
  await call(createDataset, { workspace_id: workspaceId }, { cookie }, { title: "Levels", slug: "levels" });
  const { id } = await authenticateSession(cookie.split("=")[1] ?? "", new Date());
  person = { cookie, id, fields: studioFields(id, { form: "register", workspace_id: workspaceId, dataset: "levels" }) };
});

/** Posts a recipe as a page without script does. */
async function post(recipe: string, cookie = person.cookie) {
  const body = new URLSearchParams({ ...person.fields, recipe }).toString();
  const type = "application/x-www-form-urlencoded";
  const sent = { cookie, origin: new URL(baseUrl()).origin, "content-type": type, "content-length": `${body.length}` };
  const request = new Request(`${baseUrl()}/studio/new/answer`, { method: "POST", body, headers: sent });
  const { status, headers } = plainResponse(await handle(request), request);
  const [pair = ""] = headers.get("set-cookie")?.split(";") ?? [];
  const [name, value] = pair.split("=");
  const location = headers.get("location");
  const id = (location && new URL(location).searchParams.get("reply")) ?? undefined;
  const shown = shownFormReply(id, person.id, (wanted) => (wanted === name ? value : undefined));
  return { status, location, faults: shown?.problem?.details ?? [] };
}

test("a long recipe that a form without script sends is registered, and its run is planned", async () => {
  const long = JSON.stringify(RECIPE, null, 2).replace("{", `{${" ".repeat(2 * FORM_BYTES_MAX)}`);
  expect(await post(long)).toMatchObject({
    status: 303,
    location: expect.stringMatching(/\/studio\/levels\/runs\/[0-9a-f-]{36}$/),
  });
});

test("a faulty one returns to its page with its faults", async () => {
  const [table] = RECIPE.tables;
  const faulty = { ...RECIPE, tables: [{ ...table, steps: [{ step: "pars" }] }] };
  const { location, faults } = await post(JSON.stringify(faulty));
  expect(location?.replace(/[\w-]+$/, "…")).toBe(`${baseUrl()}/studio/levels/recipe?error=recipe&reply=…`);
  expect(faults).toMatchObject([{ pointer: "/tables/0/steps/0/step", message: 'Unknown step: "pars".' }]);
});

test("of many long faults, the first reach its page in a cookie that every browser takes", async () => {
  const [table] = RECIPE.tables;
  const steps = Array.from({ length: 12 }, (_, at) => ({ step: `${"é".repeat(400)}${at}` }));
  const { faults } = await post(JSON.stringify({ ...RECIPE, tables: [{ ...table, steps }] }));
  expect(faults.length).toBeGreaterThan(1);
  expect(faults[0]).toMatchObject({
    pointer: "/tables/0/steps/0/step",
    message: expect.stringMatching(/^Unknown step: "é+"/),
  });
});

test("a body longer than other forms is read only for members, and no more than a recipe needs", async () => {
  const long = " ".repeat(2 * FORM_BYTES_MAX);
  expect(await post(long, "")).toMatchObject({ status: 401, location: null });
  expect((await post("")).location).toContain("error=recipe");
  expect((await post(" ".repeat(LONG_FORM_BYTES_MAX))).status).toBe(413);
});
