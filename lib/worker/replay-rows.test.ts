import { expect, test } from "vitest";
import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { publishTable } from "@/lib/publish/publish";
import { withWorkbench } from "@/lib/publish/workbench";
import { onlyRow } from "@/lib/readers/bench";
import { showcaseCatalogue } from "@/lib/showcase/catalogue";
import { readShowcase } from "@/lib/showcase/dataset-file";
import { publishRequestOf, type Showcase, type ShowcaseVersion } from "@/lib/showcase/showcase";
import { findTableVersion } from "@/lib/store/datasets/tables";
import { database } from "@/lib/store/postgres/database";
import { blobFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { trialRuns } from "@/lib/testing/property";
import { builtShowcase, useShowcaseReplays, wantedOf } from "@/lib/testing/showcase-replays";

const CATALOGUE = showcaseCatalogue();
const nodejsReleases = readShowcase("nodejs-releases");

useTestState();
const { replay, workDir } = useShowcaseReplays();

const SMALL = ["mauna-loa-co2", "mime-types", "palmer-penguins"];
const withRecipe = CATALOGUE.filter(({ recipe }) => recipe);
/** Small datasets only in the suite; all of them with `npm run trial -- showcase`. */
const BUILT = withRecipe
  .map((showcase) => ({ slug: showcase.dataset.slug, showcase }))
  .sort((a, b) => Number(SMALL.includes(b.slug)) - Number(SMALL.includes(a.slug)))
  .slice(0, trialRuns("SHOWCASE_RECIPES", SMALL.length));

/** What readers see of a table's current version, except its id. */
async function tableOf(id: string) {
  const found = await findTableVersion(id, {});
  if (!found) throw new Error(`No table ${id}`);
  const { tableSlug, tableName, label, publishedAt, rows, columns, orderBy, primaryKey } = found;
  return {
    digest: found.digest,
    told: { tableSlug, tableName, label, publishedAt, rows, columns, orderBy, primaryKey },
  };
}

/** The same release, prepared and published by hand under another slug. */
async function byHand(showcase: Showcase, version: ShowcaseVersion) {
  const [table] = showcase.tables;
  if (!table) throw new Error("No table");
  const request = publishRequestOf(showcase, table, version);
  const { slug, title } = showcase.dataset;
  const publisher = { name: `${title} by hand` }; // a name belongs to the workspace that used it first
  const dataset = { ...request.dataset, slug: `${slug}-by-hand`, title: publisher.name, publisher };
  const file = await version.prepare(workDir());
  const receipt = await publishTable({ file, ...request, dataset }, { now: () => new Date() });
  return tableOf(receipt.table_id);
}

/** The number of rows that differ between two files, compared by position. */
function differingRows(first: string, second: string, columns: readonly { name: string }[]): Promise<unknown> {
  const rowsOf = (digest: string) => `read_parquet(${quoteLiteral(blobFile(digest))}, file_row_number = true)`;
  const names = columns.map(({ name }) => quoteIdentifier(name));
  const differs = names.map((name) => `a.${name} IS DISTINCT FROM b.${name}`).join(" OR ");
  const select = `SELECT count(*)::VARCHAR FROM ${rowsOf(first)} a FULL JOIN ${rowsOf(second)} b
    ON a.file_row_number = b.file_row_number WHERE a.file_row_number IS DISTINCT FROM b.file_row_number OR ${differs}`;
  return withWorkbench((bench) => onlyRow(bench, select));
}

test.each(BUILT)(
  "$slug: its first and last release have the same columns and rows, in order, as publishing by hand",
  async ({ slug, showcase }) => {
    const versions = showcase.tables[0]?.versions ?? [];
    for (const version of new Set([versions[0], versions.at(-1)].flatMap((each) => each ?? []))) {
      const hand = await byHand(showcase, version);
      expect(await replay(wantedOf(showcase, version.label))).toBe("built");
      const { dataset } = await builtShowcase(slug);
      const built = await tableOf(dataset.tables[0]?.id ?? "");
      expect(built.told).toEqual(hand.told);
      expect(await differingRows(built.digest, hand.digest, hand.told.columns)).toEqual(["0"]);
    }
  },
);

test("releases without a change seal nothing: they are additional labels of the previous version", async () => {
  const dataset = { ...nodejsReleases.dataset, slug: "other-releases" };
  const showcase = { ...nodejsReleases, dataset };
  for (const { label } of nodejsReleases.tables[0]?.versions.slice(3, 5) ?? [])
    expect(await replay(wantedOf(showcase, label))).toBe("built");
  const { dataset: made, versions } = await builtShowcase(dataset.slug);
  expect(versions).toMatchObject([{ label: "2.0.59", otherLabels: ["2.0.60"] }]);
  expect(made.temporalCoverage).toBe(dataset.temporalCoverage);
  const { prisma } = await database();
  const where = { datasetId: made.id };
  const readings = await prisma.sourceObservation.findMany({ where, orderBy: { at: "asc" } });
  expect(readings.at(-1)).toMatchObject({ changed: false, at: new Date("2026-10-22T08:32:03Z") });
});
