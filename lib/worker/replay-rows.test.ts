import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { parseColumnType } from "@/lib/engine/types/column-types";
import { onlyRow, withWorkbench } from "@/lib/publish/workbench";
import { CATALOGUE } from "@/lib/showcase/catalogue";
import { nodejsReleases } from "@/lib/showcase/nodejs-releases";
import { recipeOf } from "@/lib/showcase/recipe";
import { findBuiltDataset } from "@/lib/store/builds/built-datasets";
import { closeJobs } from "@/lib/store/builds/jobs";
import { database } from "@/lib/store/database";
import { listVersions } from "@/lib/store/tables";
import { blobFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { sandboxProgram } from "@/lib/testing/sandbox-program";
import { replayVersion, SHOWCASE_WORKSPACE } from "./replay-version";

useTestState();

let [program, workDir] = ["", ""];
beforeAll(async () => {
  program = await sandboxProgram();
  workDir = await mkdtemp(join(tmpdir(), "replay-"));
}, 120_000);
afterAll(async () => {
  await closeJobs();
  await rm(workDir, { recursive: true, force: true });
});

const onError = (error: unknown) => expect.unreachable(String(error));
const BUILT = CATALOGUE.flatMap((showcase) => {
  const { dataset, recipe, tables } = showcase;
  return recipe ? [{ slug: dataset.slug, showcase, recipe, versions: tables[0]?.versions ?? [] }] : [];
});

test.each(BUILT)(
  "$slug: the rows of its first and last release are those that are prepared by hand",
  {
    timeout: 300_000,
  },
  async ({ slug, showcase, recipe, versions }) => {
    const { dataset } = showcase;
    const document = recipeOf(showcase, recipe);
    for (const { label, publishedAt, prepare } of [versions[0], versions.at(-1)].flatMap((each) => each ?? [])) {
      const wanted = { dataset, document, label, publishedAt, folder: recipe.folderOf(label) };
      expect(await replayVersion(wanted, { now: () => new Date(), onError, program })).toBe("built");
      const made = await findBuiltDataset(SHOWCASE_WORKSPACE, slug);
      const [newest] = await listVersions(made?.tables[0]?.id ?? "");
      expect([newest?.label, newest?.publishedAt]).toEqual([label, publishedAt]);
      const sealed = `read_parquet(${quoteLiteral(blobFile(newest?.digest ?? ""))}, file_row_number = true)`;
      const columns = showcase.tables[0]?.columns ?? [];
      const types = columns.map(({ name, type = "" }) => `${quoteLiteral(name)}: '${parseColumnType(type)?.duckdb}'`);
      const prepared = quoteLiteral(await prepare(workDir));
      const given = `read_json(${prepared}, format = 'newline_delimited', columns = {${types}})`;
      const names = columns.map(({ name }) => quoteIdentifier(name)).join(", ");
      const differing = `SELECT count(*)::VARCHAR FROM (
      (SELECT ${names} FROM ${sealed} EXCEPT ALL SELECT ${names} FROM ${given}) UNION ALL
      (SELECT ${names} FROM ${given} EXCEPT ALL SELECT ${names} FROM ${sealed}))`;
      expect([label, await withWorkbench((bench) => onlyRow(bench, differing))]).toEqual([label, ["0"]]);
    }
  },
);

test("releases without a change seal nothing: they are further labels of the version before", {
  timeout: 300_000,
}, async () => {
  const { tables, recipe } = nodejsReleases;
  if (!recipe) throw new Error("nodejs-releases has no recipe");
  const dataset = { ...nodejsReleases.dataset, slug: "other-releases" };
  const showcase = { ...nodejsReleases, dataset };
  for (const { label, publishedAt } of tables[0]?.versions.slice(3, 5) ?? []) {
    const wanted = {
      dataset,
      document: recipeOf(showcase, recipe),
      label,
      publishedAt,
      folder: recipe.folderOf(label),
    };
    expect(await replayVersion(wanted, { now: () => new Date(), onError, program })).toBe("built");
  }
  const made = await findBuiltDataset(SHOWCASE_WORKSPACE, dataset.slug);
  const versions = await listVersions(made?.tables[0]?.id ?? "");
  expect(versions).toMatchObject([{ label: "2.0.59", otherLabels: ["2.0.60"] }]);
  expect(made?.temporalCoverage).toBe(dataset.temporalCoverage);
  const { prisma } = await database();
  const where = { datasetId: made?.id ?? "" };
  const readings = await prisma.sourceObservation.findMany({ where, orderBy: { at: "asc" } });
  expect(readings.at(-1)).toMatchObject({ changed: false, at: new Date("2026-10-22T08:32:03Z") });
});
