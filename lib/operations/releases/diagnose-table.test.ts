import { expect, test } from "vitest";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { replaceHarvest } from "@/lib/store/sources/sources";
import { useTestState } from "@/lib/testing/database";
import { httpSource, type RecipeSketch, recordedDataset } from "@/lib/testing/recorded-dataset";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { diagnoseTable } from "./diagnose-table";

useTestState();

const DAY_MS = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

async function diagnosed(
  sketch: RecipeSketch,
  record: (dataset: Awaited<ReturnType<typeof recordedDataset>>) => Promise<unknown>,
) {
  const dataset = await recordedDataset(sketch, ago(60));
  await record(dataset);
  const { prisma } = await database();
  const member = await prisma.membership.findFirstOrThrow({ where: { workspaceId: dataset.workspaceId } });
  const path = { workspace_id: dataset.workspaceId, dataset: dataset.slug, table: "rows" };
  const { status, body } = await call(diagnoseTable, path, { cookie: await sessionCookie(member.userId) });
  expect(status).toBe(200);
  return body;
}

const codes = ({ findings }: { findings: { code: string }[] }) => findings.map(({ code }) => code);

test("a table without a schedule says so, and nothing else", async () => {
  const body = await diagnosed({}, async (dataset) => {
    await dataset.read(ago(0.01), [{ source: "source", how: "first" }], { kind: "build" });
    await dataset.release("rows", ago(0.01));
  });
  expect(codes(body)).toEqual(["no_schedule"]);
  expect(body.verdict).toMatchObject({ state: "learning", reason_code: "not_enough_history" });
});

test("a recipe with a schedule is not told to add one before the workers have planned it", async () => {
  const body = await diagnosed({ refresh: { every: "P1D" } }, async (dataset) => {
    await dataset.read(ago(0.01), [{ source: "source", how: "first" }], { kind: "build" });
    await dataset.release("rows", ago(0.01));
  });
  expect([codes(body), body.schedule]).toEqual([[], null]);
});

test("failing readings name source, cause and count, and come before notices", async () => {
  const body = await diagnosed({ refresh: { every: "P1D" } }, async (dataset) => {
    await dataset.read(ago(3), [{ source: "source", how: "first" }], { kind: "build" });
    await dataset.release("rows", ago(3));
    for (const days of [2, 1, 0.02])
      await dataset.read(ago(days), [{ source: "source", how: "failed" }], { failed: true });
  });
  expect(body.verdict.state).toBe("source_unhealthy");
  expect(codes(body).slice(0, 2)).toEqual(["source_fails", "last_run_failed"]);
  expect(body.findings[0]).toMatchObject({
    severity: "problem",
    message: "The last 3 readings of source failed.",
    evidence: { source: "source", failure: "source_timeout" },
  });
  expect(body.runs).toMatchObject({ failed: 3 });
});

test("different bytes with the same rows three times in a row are reported, but not as a problem", async () => {
  const body = await diagnosed({ refresh: { every: "P1D" } }, async (dataset) => {
    await dataset.read(ago(4), [{ source: "source", how: "first" }], { kind: "build" });
    await dataset.release("rows", ago(4));
    for (const days of [2, 1, 0.02]) await dataset.read(ago(days), [{ source: "source", how: "same_rows" }]);
  });
  expect(body.findings).toContainEqual(expect.objectContaining({ code: "volatile_bytes", severity: "notice" }));
});

test("a credential that is not stored is a problem, without a word of any value", async () => {
  const sources = [httpSource("source", { credential: "office" })];
  const body = await diagnosed({ sources }, (dataset) => dataset.release("rows", ago(1)));
  expect(body.findings[0]).toMatchObject({ code: "credential_unusable", message: expect.stringContaining("office") });
});

test("a source listed by a provider under a licence other than the recipe's is reported", async () => {
  const listed = (name: string, license: string | null) => ({
    ...{ name, title: null, description: "", url: `https://data.example.org/${name}.csv`, format: null },
    ...{ mediaType: null, bytes: null, columns: [], license, licenseUrl: null, origins: [] },
  });
  const sources = [listed("source", "ODbL-1.0"), listed("same", "cc0 1.0"), listed("unknown", null)];
  const about = { provider: "Portal", homepage: null, documentVersion: null, documentDigest: "0".repeat(64) };
  await replaceHarvest({ ...about, harvestedAt: new Date(), listed: 3, sources }, ADMINISTRATOR);
  const names = ["source", "same", "unknown"];
  const body = await diagnosed({ sources: names.map((name) => httpSource(name)) }, (dataset) =>
    dataset.release("rows", ago(1)),
  );
  expect(body.findings.filter(({ code }: { code: string }) => code === "licence_differs")).toEqual([
    {
      severity: "notice",
      code: "licence_differs",
      message: 'Portal lists source under "ODbL-1.0", but the recipe states "CC0-1.0".',
      evidence: { source: "source", stated: "CC0-1.0", listed: "ODbL-1.0", provider: "Portal" },
      fix: expect.any(String),
    },
  ]);
});
