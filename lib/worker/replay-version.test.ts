import { expect, test } from "vitest";
import { freshnessOf } from "@/lib/operations/freshness/verdicts";
import { publishTable } from "@/lib/publish/publish";
import { readShowcase } from "@/lib/showcase/dataset-file";
import { publishRequestOf } from "@/lib/showcase/showcase";
import { listUnreadTables } from "@/lib/store/catalogue/table-values";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { builtShowcase, releaseOf, useShowcaseReplays, wantedOf } from "@/lib/testing/showcase-replays";
import { SHOWCASE_WORKSPACE } from "./replay-version";
import { switchShowcaseRefreshes } from "./showcase-refreshes";

const mimeTypes = readShowcase("mime-types");

useTestState({ PACKAGE_REGISTRY: "http://127.0.0.1:9" });
const { replay: replayWanted, workDir } = useShowcaseReplays();

const now = () => new Date();
const replay = (label: string, clock = now) => replayWanted(wantedOf(mimeTypes, label), clock);
const built = () => builtShowcase("mime-types");

/** The clock of a process that is killed when it reads the time once more than this. */
function killedAfter(calls: number): () => Date {
  let left = calls;
  return () => {
    left -= 1;
    if (left < 0) throw new Error("killed");
    return new Date();
  };
}

test("a fill killed at any step resumes there: one run, one version, its release's label and time", async () => {
  let kills = 0;
  for (;;) {
    const outcome = await replay("1.45.0", killedAfter(kills)).catch((error: Error) => error.message);
    if (outcome === "built") break;
    expect(outcome).toBe("killed");
    kills += 1;
  }
  expect(kills).toBeGreaterThan(3);
  const { prisma } = await database();
  expect(await prisma.run.count()).toBe(1);
  const { dataset, versions } = await built();
  expect(versions).toMatchObject([{ label: "1.45.0", rows: 2_204, change: "first" }]);
  expect(versions[0]?.publishedAt).toEqual(new Date("2020-09-22T00:00:00Z"));
  expect(dataset).toMatchObject({ visibility: "public", license: "MIT", workspaceId: SHOWCASE_WORKSPACE });
  expect(await listUnreadTables(1)).toEqual([]); // searches find its values as soon as it is built
});

test("later releases are refreshes under the same approval, and existing ones are unchanged", async () => {
  for (const label of ["1.45.0", "1.46.0", "1.54.0", "1.46.0"]) expect(await replay(label)).toBe("built");
  const { versions } = await built();
  expect(versions.map(({ label, rows, change }) => [label, rows, change])).toEqual([
    ["1.54.0", 2_522, "restated"],
    ["1.46.0", 2_224, "restated"],
    ["1.45.0", 2_204, "first"],
  ]);
  const { prisma } = await database();
  const runs = await prisma.run.findMany({ orderBy: { createdAt: "asc" }, select: { kind: true, state: true } });
  expect(runs).toEqual(["build", "refresh", "refresh"].map((kind) => ({ kind, state: "sealed" })));
  const releases = await prisma.release.findMany({ orderBy: { sealedAt: "asc" } });
  expect(releases.map(({ continuity }) => continuity)).toEqual(["first_release", "restated", "restated"]);
});

test("readings have their release's time, and nothing is claimed then or now: the source was not read", async () => {
  const { dataset } = await built();
  const stateAt = async (at: Date) => (await freshnessOf([dataset.id], at))(dataset.id).verdict.reason;
  expect(await stateAt(new Date("2025-03-18T00:00:00Z"))).toBe("no_observation");
  expect(await stateAt(now())).toBe("no_observation");
  expect(dataset.schedule).toMatchObject({ pausedBy: { kind: "operator" } });
});

test("the administrator can allow and stop refreshes from the registry", async () => {
  const pausedAt = async () => (await built()).dataset.schedule?.pausedAt ?? null;
  expect(await switchShowcaseRefreshes("on", now())).toEqual(["mime-types"]);
  expect(await pausedAt()).toBe(null);
  expect(await switchShowcaseRefreshes("on", now())).toEqual([]);
  expect(await switchShowcaseRefreshes("off", now())).toEqual(["mime-types"]);
  expect(await pausedAt()).toBeInstanceOf(Date);
});

test("an installed package of another version ends the run by name, and the next fill starts another one", async () => {
  const wrong = { ...wantedOf(mimeTypes, "1.47.0"), folder: wantedOf(mimeTypes, "1.48.0").folder };
  await expect(replayWanted(wrong)).rejects.toThrow("1.47.0: The installed package is not mime-db 1.47.0.");
});

test("a dataset that was published by hand is not built", async () => {
  const showcase = { ...mimeTypes, dataset: { ...mimeTypes.dataset, slug: "media-types", title: "Media types" } };
  const [table] = showcase.tables;
  if (!table) throw new Error("No table");
  const version = releaseOf(showcase, "1.45.0");
  const file = await version.prepare(workDir());
  await publishTable({ file, ...publishRequestOf(showcase, table, version) }, { now });
  expect(await replayWanted(wantedOf(showcase, "1.45.0"))).toBe("by_hand");
});
