import { beforeAll, expect, test } from "vitest";
import { readRecipe } from "@/lib/builds/document/read-recipe";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { database } from "@/lib/store/database";
import { editDataset } from "@/lib/store/dataset-texts";
import { changeSecretHosts } from "@/lib/store/secrets";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { newWorkspace } from "@/lib/testing/workspace";
import { storeSecret } from "@/lib/vault/secrets";
import { whyApprovalEnded } from "./approval-ends";

useTestState();

const DAY_MS = 86_400_000;
let workspaceId = "";

beforeAll(async () => {
  ({ workspaceId } = await newWorkspace());
});

const documentOf = (source: object): string =>
  readRecipe(
    JSON.stringify({
      schema_version: "service-recipe.v1",
      sources: [{ name: "a", ...source }],
      tables: [{ name: "t", from: "a", columns: [{ name: "x", type: "string" }] }],
      publish: { license: "CC0-1.0", publisher: { name: "P" } },
    }),
  ).canonical;

const PLAIN = documentOf({ kind: "http", url: "https://example.org/a.csv", reader: { format: "csv" } });

/** Why an approval that was given a moment ago ended. */
const whyNow = (document: string, approvedAt: Date) =>
  whyApprovalEnded({ approvedAt, document }, workspaceId, new Date());

test("an approval ends after 400 days", async () => {
  const approvedAt = new Date("2026-01-01T00:00:00Z");
  const after = (days: number) =>
    whyApprovalEnded({ approvedAt, document: PLAIN }, workspaceId, new Date(approvedAt.getTime() + days * DAY_MS));
  expect(await after(399)).toBeUndefined();
  expect(await after(400)).toMatch(/400 days/);
});

test("an approval ends when the hosts of a credential of its recipe change, and of no other", async () => {
  for (const name of ["used", "other"])
    await storeSecret(ADMINISTRATOR, workspaceId, { name, kind: "bearer", token: "v".repeat(20) }, new Date());
  const document = documentOf({
    ...{ kind: "http", url: "https://example.org/a.csv", credential: "used", reader: { format: "csv" } },
  });
  const approvedAt = new Date();
  await changeSecretHosts(ADMINISTRATOR, { workspaceId, name: "other" }, ["elsewhere.org"]);
  expect(await whyNow(document, approvedAt)).toBeUndefined();
  await changeSecretHosts(ADMINISTRATOR, { workspaceId, name: "used" }, ["example.org"]);
  expect(await whyNow(document, approvedAt)).toMatch(/credential used changed/);
  expect(await whyNow(document, new Date())).toBeUndefined(); // approved anew
  expect(await whyNow(PLAIN, approvedAt)).toBeUndefined();
});

test("an approval ends when the licence of a table that the recipe reads changes", async () => {
  await publishText("upstream", "id\n1\n");
  const { prisma } = await database();
  const { id } = await prisma.table.findFirstOrThrow({ where: { dataset: { slug: "upstream" } } });
  const approvedAt = new Date();
  for (const table of ["upstream/rows", id]) {
    const document = documentOf({ kind: "table", table });
    expect(await whyNow(document, approvedAt)).toBeUndefined();
  }
  await editDataset("upstream", { summary: "Other words." }, ADMINISTRATOR);
  expect(await whyNow(documentOf({ kind: "table", table: "upstream/rows" }), approvedAt)).toBeUndefined();
  await editDataset("upstream", { license: "ODbL-1.0" }, ADMINISTRATOR);
  for (const table of ["upstream/rows", id])
    expect(await whyNow(documentOf({ kind: "table", table }), approvedAt)).toMatch(/licence of upstream\/rows changed/);
  expect(await whyNow(documentOf({ kind: "table", table: "other/rows" }), approvedAt)).toBeUndefined();
});
