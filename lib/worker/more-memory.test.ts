import { expect, test } from "vitest";
import { runSchedules } from "@/lib/operations/refresh/run-schedules";
import { database } from "@/lib/store/postgres/database";
import { sealedDataset } from "@/lib/testing/hosted";
import { useOffice } from "@/lib/testing/office";

const rig = await useOffice({ BUILD_MEMORY_MB: "128", BUILD_MEMORY_RETRY_MB: "1536" });
const DAY_MS = 86_400_000;
const ROWS = 300_000;
const GAUGES = 50;

/** Lists of so much text that they exceed 128 MiB, but fit into 256. */
const large = (): string => {
  const rows = Array.from({ length: ROWS }, (_, at) => `G${at % GAUGES};${at}${"x".repeat(100)}`);
  return `gauge;level\n${rows.join("\n")}\n`;
};

test("a sandbox out of memory fails its refresh, and the single retry succeeds with twice as much", async () => {
  const lists = {
    step: "aggregate",
    group_by: ["gauge"],
    aggregates: [{ function: "list", column: "level", as: "all" }],
  };
  await sealedDataset(rig, "Lists", {
    recipe: rig.recipe((recipe) => {
      const columns = [{ name: "gauge", type: "string" }, { name: "all" }];
      Object.assign(recipe, { refresh: { every: "P1D" } });
      Object.assign(recipe.tables[0] ?? {}, { steps: [lists], columns, checks: [] });
    }),
  });
  const { prisma } = await database();
  /** The refresh due at this time, once it has ended. */
  const refreshed = async (now: Date) => {
    await runSchedules(now);
    const { id } = await prisma.run.findFirstOrThrow({ where: { createdAt: now } });
    await rig.rest(id);
    return prisma.run.findUniqueOrThrow({ where: { id }, include: { releases: { include: { version: true } } } });
  };
  await runSchedules(new Date());
  rig.office.file = large();
  const failed = await refreshed(new Date(Date.now() + DAY_MS));
  expect(failed).toMatchObject({ state: "failed", failureCode: "memory_exceeded", releases: [] });
  await runSchedules(new Date());
  const { wakeAt } = await prisma.schedule.findFirstOrThrow();
  const more = await refreshed(wakeAt ?? new Date(0));
  expect(more).toMatchObject({ state: "sealed", outcome: "released", plan: { memoryMb: 256 } });
  expect(more.releases.map(({ version }) => version.rows)).toEqual([BigInt(GAUGES)]);
});
