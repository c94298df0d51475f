import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publishTable } from "@/lib/publish/publish";
import type { PublishReceipt } from "@/lib/schemas/publish";
import { listVersions, newestVersionAt } from "@/lib/store/tables";
import { useTestState } from "@/lib/testing/database";
import { browserCompatibility } from "./browser-compatibility";
import { type FillContext, fillShowcase } from "./catalogue";
import { maunaLoaCo2 } from "./mauna-loa-co2";
import { nodejsReleases } from "./nodejs-releases";
import { palmerPenguins } from "./palmer-penguins";
import type { Showcase } from "./showcase";

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

test("a fill that is killed is taken up where it stopped; releases without a change seal nothing; a second fill changes nothing", async () => {
  await expect(fill([nodejsReleases], 6)).rejects.toThrow("killed");
  const resumed = await fill([nodejsReleases]);
  expect(outcomes(resumed)).toEqual(["unchanged", "published", "unchanged", "published", "published"]);

  const versions = await listVersions(resumed[0]?.table_id ?? "");
  expect(versions.map(({ rows }) => rows)).toEqual([386, 385, 384, 383, 382, 380, 379, 378]);
  expect(versions[0]?.publishedAt).toEqual(new Date("2026-11-17T11:41:31Z"));
  expect(versions.at(-1)?.change).toBe("first");

  expect(outcomes(await fill([nodejsReleases]))).toEqual(["unchanged"]);
  expect(await listVersions(resumed[0]?.table_id ?? "")).toEqual(versions);
});

test("a column that upstream added later appears with the version that has it", async () => {
  const releases = { ...browserCompatibility, tables: browserCompatibility.tables.filter(({ slug }) => slug === "releases") };
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
