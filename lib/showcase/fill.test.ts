import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { publishTable } from "@/lib/publish/publish";
import { withWorkbench } from "@/lib/publish/workbench";
import { onlyRow } from "@/lib/readers/bench";
import type { PublishReceipt } from "@/lib/schemas/publish";
import { findTableVersion, listVersions, newestVersionAt } from "@/lib/store/datasets/tables";
import type { FillProgress } from "@/lib/store/fill-progress";
import { blobFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { type FillContext, fillShowcase } from "./catalogue";
import { readShowcase } from "./dataset-file";
import type { Showcase } from "./showcase";

const browserCompatibility = readShowcase("browser-compatibility");
const earthquakes2018 = readShowcase("earthquakes-2018");
const maunaLoaCo2 = readShowcase("mauna-loa-co2");
const nodejsReleases = readShowcase("nodejs-releases");
const palmerPenguins = readShowcase("palmer-penguins");
const spdxLicenses = readShowcase("spdx-licenses");
const usZipCodes = readShowcase("us-zip-codes");

useTestState();

let workDir: string;
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), "showcase-fill-"));
});
afterAll(() => rm(workDir, { recursive: true, force: true }));

/** Fills with the real publishing; fails like a killed process before publishing number `dieBefore`. */
async function fill(catalogue: readonly Showcase[], dieBefore = Number.POSITIVE_INFINITY): Promise<PublishReceipt[]> {
  const receipts: PublishReceipt[] = [];
  const publish: FillContext["publish"] = async (request) => {
    if (receipts.length >= dieBefore) throw new Error("killed");
    const receipt = await publishTable(request, { now: () => new Date() });
    receipts.push(receipt);
    return receipt;
  };
  await fillShowcase({ publish, newestVersionAt, workDir, progress: () => undefined }, catalogue);
  return receipts;
}

const outcomes = (receipts: readonly PublishReceipt[]) => receipts.map(({ outcome }) => outcome);

test(
  "a fill that is killed is taken up where it stopped; releases without a change seal nothing; a second fill " +
    "changes nothing",
  async () => {
    await expect(fill([nodejsReleases], 6)).rejects.toThrow("killed");
    const resumed = await fill([nodejsReleases]);
    expect(outcomes(resumed)).toEqual(["unchanged", "published", "unchanged", "published", "published"]);

    const versions = await listVersions(resumed[0]?.table_id ?? "");
    expect(versions.map(({ rows }) => rows)).toEqual([386, 385, 384, 383, 382, 380, 379, 378]);
    expect(versions[0]?.publishedAt).toEqual(new Date("2026-11-17T11:41:31Z"));
    expect(versions.at(-1)?.change).toBe("first");

    expect(outcomes(await fill([nodejsReleases]))).toEqual(["unchanged"]);
    expect(await listVersions(resumed[0]?.table_id ?? "")).toEqual(versions);
  },
);

test("a column that upstream added later appears with the version that has it", async () => {
  const releases = {
    ...browserCompatibility,
    tables: browserCompatibility.tables.filter(({ slug }) => slug === "releases"),
  };
  const receipts = await fill([releases]);
  expect(receipts.map(({ change, rows }) => [change, rows])).toEqual([
    ["first", 1_628],
    ["columns_added", 1_682],
  ]);
});

test("the package's own files stay, and nothing is left in the work folder", async () => {
  expect(outcomes(await fill([palmerPenguins, maunaLoaCo2]))).toEqual(["published", "published"]);
  expect(outcomes(await fill([palmerPenguins, maunaLoaCo2]))).toEqual(["unchanged", "unchanged"]);
  expect(await readdir(workDir)).toEqual([]);
});

/** One row of SQL, as text, over the sealed Parquet file of a receipt. */
const sealed = (receipt: PublishReceipt | undefined, select: string) => {
  const path = blobFile(receipt?.content_digest.slice("sha256:".length) ?? "");
  return withWorkbench((bench) => onlyRow(bench, `SELECT ${select} FROM read_parquet(${quoteLiteral(path)})`));
};

test.each([usZipCodes, earthquakes2018, spdxLicenses])(
  "$dataset.slug is stored with the declared types, descriptions and units",
  async (showcase) => {
    const [receipt] = await fill([showcase]);
    const stored = await findTableVersion(receipt?.table_id ?? "", {});
    const told = stored?.columns.map(({ name, type, description, unit }) => ({
      name,
      type,
      description,
      ...(unit !== null && { unit }),
    }));
    expect(told).toEqual(showcase.tables[0]?.columns);
  },
);

test("leading zeros, milliseconds, lists, long texts and decimals are in the sealed files", async () => {
  const [[zipCodes], [quakes], [licenses], [co2]] = [
    await fill([usZipCodes]),
    await fill([earthquakes2018]),
    await fill([spdxLicenses]),
    await fill([maunaLoaCo2]),
  ];
  expect(await sealed(zipCodes, "count(*) FILTER (zip_code LIKE '0%')::VARCHAR, min(zip_code)")).toEqual([
    "3256",
    "00501",
  ]);
  expect(await sealed(quakes, "max(time)::VARCHAR, max_by(types, time)::VARCHAR, count(felt)::VARCHAR")).toEqual([
    "2018-02-07 01:26:13.84+00",
    "[geoserve, nearby-cities, origin, phase-data, scitech-link]",
    "127",
  ]);
  expect(await sealed(licenses, "max(length(license_text))::VARCHAR, (count(*) - count(url))::VARCHAR")).toEqual([
    "46063",
    "3",
  ]);
  expect(await sealed(co2, `max("CO2")::VARCHAR, min("adjusted CO2")::VARCHAR`)).toEqual(["416.18", "314.44"]);
});

test("datasets are filled two at a time; a failure ends the fill before anything further is begun", async () => {
  const begun: string[] = [];
  const publish: FillContext["publish"] = async ({ dataset }) => {
    begun.push(dataset.slug);
    if (dataset.slug === "us-zip-codes") throw new Error("no room");
    await expect.poll(() => begun).toContain("us-zip-codes"); // which is under way at the same time
    throw new Error("too late");
  };
  const context = { publish, newestVersionAt: async () => null, workDir, progress: () => undefined };
  const catalogue = [palmerPenguins, usZipCodes, maunaLoaCo2];
  await expect(fillShowcase(context, catalogue)).rejects.toThrow("no room");
  expect(begun.toSorted()).toEqual(["palmer-penguins", "us-zip-codes"]);
});

const publish: FillContext["publish"] = (request) => publishTable(request, { now: () => new Date() });

test("it is told which datasets are under way and how many are complete, in the order of the catalogue", async () => {
  const told: FillProgress[] = [];
  const context = { publish, newestVersionAt, workDir, progress: (each: FillProgress) => told.push(each) };
  await fillShowcase(context, [palmerPenguins, maunaLoaCo2, spdxLicenses]);
  expect(told.slice(0, 2).map(({ done, total, next }) => [done, total, next])).toEqual([
    [0, 3, [palmerPenguins.dataset.title]],
    [0, 3, [palmerPenguins.dataset.title, maunaLoaCo2.dataset.title]],
  ]);
  expect(told[2]).toMatchObject({ done: 1, next: expect.arrayContaining([spdxLicenses.dataset.title]) });
  expect(told.at(-1)).toEqual({ done: 3, total: 3, next: [] });
});
