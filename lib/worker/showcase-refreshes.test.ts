import { readFile } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { compareVersions } from "@/lib/operations/compare-versions";
import { tableReadings } from "@/lib/operations/freshness/table-readings";
import { freshnessOf } from "@/lib/operations/freshness/verdicts";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { runSchedules } from "@/lib/operations/refresh/run-schedules";
import { readShowcase } from "@/lib/showcase/dataset-file";
import { packageFile } from "@/lib/showcase/package-file";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { startPackageRegistry } from "@/lib/testing/package-registry";
import { serve } from "@/lib/testing/serve";
import { builtShowcase, useShowcaseReplays, wantedOf } from "@/lib/testing/showcase-replays";
import { switchShowcaseRefreshes } from "./showcase-refreshes";

const maunaLoaCo2 = readShowcase("mauna-loa-co2");
const mimeTypes = readShowcase("mime-types");

const registry = await startPackageRegistry("mime-db");
useTestState({ PACKAGE_REGISTRY: registry.origin, SOURCE_PRIVATE_HOSTS: registry.host });
const { replay, work } = useShowcaseReplays();
afterAll(async () => {
  await closeReadingEngine();
  registry.close();
});

/** Offers an installed release as the registry's latest. */
async function release(version: string): Promise<void> {
  const { folder } = wantedOf(mimeTypes, version);
  registry.release(version, "db.json", await readFile(packageFile(folder, "db.json")));
}

/** The next planned reading: its time, and the run that it started, once that has ended. */
async function tick() {
  const { dataset } = await builtShowcase("mime-types");
  const due = dataset.schedule?.nextAt;
  if (!due) throw new Error("nothing is planned");
  await runSchedules(due);
  const { prisma } = await database();
  const { id } = await prisma.run.findFirstOrThrow({ where: { createdAt: due } });
  await work(id);
  await runSchedules(due); // ended runs are accounted for
  return prisma.run.findUniqueOrThrow({ where: { id }, include: { releases: true } });
}

test("a package with a new latest release becomes a new version, with label, continuity and changes", async () => {
  for (const label of ["1.52.0", "1.53.0"]) expect(await replay(wantedOf(mimeTypes, label))).toBe("built");
  expect(await replay(wantedOf(maunaLoaCo2, "3.2.1"))).toBe("built");
  expect(await switchShowcaseRefreshes("on", new Date())).toEqual(["mime-types"]); // a snapshot is not read again
  expect(registry.asked).toEqual([]);

  await release("1.53.0");
  expect(await tick()).toMatchObject({ state: "sealed", outcome: "unchanged", trigger: "schedule", releases: [] });
  const { versions: before } = await builtShowcase("mime-types");
  expect(before.map(({ label }) => label)).toEqual(["1.53.0", "1.52.0"]);

  await release("1.54.0");
  expect(await tick()).toMatchObject({ outcome: "released", releases: [{ continuity: "restated" }] });
  const { dataset, versions } = await builtShowcase("mime-types");
  expect(versions.map(({ label, rows, change }) => [label, rows, change])).toEqual([
    ["1.54.0", 2_522, "restated"],
    ...before.map(({ label, rows, change }) => [label, rows, change]),
  ]);
  const [table] = dataset.tables;
  expect(table?.currentVersionId).toBe(versions[0]?.versionId);

  const path = { table_id: table?.id ?? "" };
  const asked = new Request("http://localhost/compare?from=1.53.0&to=1.54.0");
  const reply = await serve({ GET: compareVersions }).GET(asked, { params: Promise.resolve(path) });
  const body = await reply.json();
  const added = (versions[0]?.rows ?? 0) - (versions[1]?.rows ?? 0);
  expect(body.rows.added - body.rows.removed).toBe(added);
  expect(body.rows.examples.added[0]).toMatchObject({ mime_type: expect.stringContaining("/") });

  const [source] = await tableReadings(dataset.id, { slug: table?.slug ?? "" });
  expect(source?.observations.map(({ replayed, changed }) => [replayed, changed])).toEqual([
    ["1.52.0", null],
    ["1.53.0", true],
    [undefined, false],
    [undefined, true],
  ]);
  const { verdict } = (await freshnessOf([dataset.id], new Date()))(dataset.id);
  expect(verdict).toMatchObject({ state: "learning", lastObservedAt: source?.observations.at(-1)?.at });

  await release("1.52.0"); // reverted: an existing label remains with its version
  expect(await tick()).toMatchObject({ outcome: "released" });
  expect((await builtShowcase("mime-types")).versions[0]).toMatchObject({ label: null, change: "restated" });

  expect(await switchShowcaseRefreshes("off", new Date())).toEqual(["mime-types"]);
});
