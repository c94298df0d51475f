import { afterAll, describe, expect, test } from "vitest";
import { freshnessOf } from "@/lib/operations/freshness/verdicts";
import { database } from "@/lib/store/postgres/database";
import { closeJobs } from "@/lib/store/runs/jobs";
import { useTestState } from "@/lib/testing/database";
import { YEARS } from "@/lib/testing/freshness-cases/years";
import { trialRuns } from "@/lib/testing/property";
import { type RecordedDataset, recordedDataset } from "@/lib/testing/recorded-dataset";
import { SimulatedDataset, type SimulatedSource } from "@/lib/testing/simulated-source";

useTestState({ BUILD_RUNS_DAY: "100000" });
afterAll(closeJobs);

const DAYS = trialRuns("YEAR_DAYS", 25);
const DAY_MS = 86_400_000;
const instant = (text: string): number => Date.parse(`${text}Z`);

async function verdictAt({ datasetId }: RecordedDataset, at: number): Promise<string> {
  const { state, reason } = (await freshnessOf([datasetId], new Date(at)))(datasetId).verdict;
  return ["unknown", "learning"].includes(state) ? reason : state;
}

describe.each(YEARS)("$about", (year) => {
  test("every verdict is as worked out by hand, and at most one run follows any suspension", {
    timeout: 3_600_000,
  }, async () => {
    const start = instant(year.start);
    const end = start + DAYS * DAY_MS;
    const dataset = await recordedDataset({ refresh: year.refresh }, new Date(start));
    const source: SimulatedSource = {
      changes: year.changes(start + 400 * DAY_MS),
      fails: (year.fails ?? []).map(([from, until]) => [instant(from), instant(until)]),
    };
    const simulated = new SimulatedDataset(dataset, source);
    await simulated.begin(start);
    const sleeps = (year.sleeps ?? []).map(([from, until]) => [instant(from), instant(until)] as const);
    const moments = year.moments.map(([at, verdict]) => [instant(at), verdict] as const);
    const [said, asked]: string[][] = [[], []];
    let at = 0;
    const look = async (until: number) => {
      for (let moment = moments[at]; moment && moment[0] < until; moment = moments[++at]) {
        const words = new Date(moment[0]).toISOString().slice(0, 16);
        asked?.push(`${words} ${moment[1]}`);
        said?.push(`${words} ${await verdictAt(dataset, moment[0])}`);
      }
    };
    for (let due = await simulated.dueAt(); due < end; due = await simulated.dueAt()) {
      const sleep = sleeps.find(([from, until]) => from <= due && due < until);
      const now = sleep?.[1] ?? due;
      await look(now);
      expect(await simulated.work(now)).toBe(1);
      if (sleep) expect(await simulated.dueAt()).toBeGreaterThan(now); // missed runs are not made up for
    }
    await look(end);
    expect(said).toEqual(asked);
    const { prisma } = await database();
    const { datasetId } = dataset;
    const runs = await prisma.run.count({
      where: { datasetId, trigger: "schedule", createdAt: { gt: new Date(start) } },
    });
    const observations = await prisma.sourceObservation.count({ where: { datasetId, at: { gt: new Date(start) } } });
    expect([runs, observations]).toEqual([simulated.runs, simulated.runs]);
    process.stdout.write(`${year.about}: ${runs} runs in ${DAYS} days, ${said?.length} verdicts\n`);
  });
});
