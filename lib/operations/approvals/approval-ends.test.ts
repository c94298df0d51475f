import { beforeAll, expect, test } from "vitest";
import { readRecipe } from "@/lib/builds/document/read-recipe";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { editDataset } from "@/lib/store/datasets/dataset-texts";
import { database } from "@/lib/store/postgres/database";
import { changeSecretHosts } from "@/lib/store/sources/secrets";
import { replaceHarvest } from "@/lib/store/sources/sources";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { recordedDataset } from "@/lib/testing/recorded-dataset";
import { storeSecret } from "@/lib/vault/secrets";
import { whyApprovalEnded } from "./approval-ends";

useTestState();

const DAY_MS = 86_400_000;
let workspaceId = "";
let datasetId = "";

beforeAll(async () => {
  ({ workspaceId, datasetId } = await recordedDataset());
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

/** Why an approval given a moment ago has ended. */
const whyNow = (document: string, approvedAt: Date) =>
  whyApprovalEnded({ datasetId, approvedAt, document }, workspaceId, new Date());

test("an approval ends after 400 days", async () => {
  const approvedAt = new Date("2026-01-01T00:00:00Z");
  const after = (days: number) =>
    whyApprovalEnded(
      { datasetId, approvedAt, document: PLAIN },
      workspaceId,
      new Date(approvedAt.getTime() + days * DAY_MS),
    );
  expect(await after(399)).toBeUndefined();
  expect(await after(400)).toMatch(/400 days/);
});

test("an approval ends when the hosts of a credential of its recipe change, not those of another", async () => {
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
  expect(await whyNow(document, new Date())).toBeUndefined(); // approved again
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

/** A read of a source, with what it stated as its licence. */
async function readAt(at: Date, source: string, license: string | null): Promise<void> {
  const { prisma } = await database();
  const read = { outcome: "ok" as const, changed: false, how: "same_bytes", ms: 1 };
  await prisma.sourceObservation.create({ data: { datasetId, source, at, license, ...read } });
}

test("an approval ends when a package states a different licence, until somebody approves it", async () => {
  const document = documentOf({
    ...{ name: "pack", kind: "package", registry: "npm", package: "pack", path: "a.json", reader: { format: "json" } },
  });
  const approvedAt = new Date(Date.now() - 10_000);
  const before = new Date(approvedAt.getTime() - 1000);
  await readAt(before, "pack", "Apache-2.0");
  await readAt(new Date(approvedAt.getTime() + 1000), "pack", "apache 2.0");
  await readAt(new Date(approvedAt.getTime() + 2000), "pack", null);
  await readAt(new Date(approvedAt.getTime() + 2000), "other", "MIT");
  expect(await whyNow(document, approvedAt)).toBeUndefined();
  await readAt(new Date(approvedAt.getTime() + 3000), "pack", "BUSL-1.1");
  expect(await whyNow(document, approvedAt)).toBe(
    "The licence that pack states changed after the approval: it was Apache-2.0, and is BUSL-1.1.",
  );
  expect(await whyNow(document, new Date(approvedAt.getTime() + 4000))).toBeUndefined();
  expect(await whyNow(PLAIN, approvedAt)).toBeUndefined();
});

/** A provider's list that states a licence for the URL of PLAIN. */
const list = (license: string | null) => {
  const source = { name: "a", title: "A", description: "", url: "https://example.org/a.csv", format: "csv" };
  const unsaid = { mediaType: null, bytes: null, columns: [], licenseUrl: null, origins: [] };
  const about = { provider: "City", homepage: null, documentVersion: null, documentDigest: "0".repeat(64), listed: 1 };
  return replaceHarvest(
    { ...about, harvestedAt: new Date(), sources: [{ ...source, ...unsaid, license }] },
    ADMINISTRATOR,
  );
};

test("an approval ends when a provider's new list states a different licence for a URL", async () => {
  const approvedAt = new Date(Date.now() - 1000);
  await readAt(new Date(approvedAt.getTime() - 1000), "a", "CC-BY-4.0");
  await list("CC-BY-4.0");
  expect(await whyNow(PLAIN, approvedAt)).toBeUndefined();
  await list(null);
  expect(await whyNow(PLAIN, approvedAt)).toBeUndefined();
  await list("CC-BY-NC-4.0");
  expect(await whyNow(PLAIN, approvedAt)).toMatch(/it was CC-BY-4.0, and is CC-BY-NC-4.0/);
});
