import { afterAll, beforeAll, expect, test } from "vitest";
import { runSchedules } from "@/lib/operations/refresh/run-schedules";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { activateTables } from "@/lib/store/datasets/activations";
import { database } from "@/lib/store/postgres/database";
import { startBuilder } from "@/lib/testing/builder";
import { useTestState } from "@/lib/testing/database";
import { FaultyOffice } from "@/lib/testing/faulty-office";
import { liveKey } from "@/lib/testing/hosted";
import { HostedReader } from "@/lib/testing/hosted-reader";
import { count, OFFICE_ENDS, OfficeBooks, type OfficeDataset, officeDeeds } from "@/lib/testing/office-books";
import { trialRuns } from "@/lib/testing/property";

const REFRESHES = trialRuns("REFRESHES", 12);
const OFFICES = Math.min(50, Math.ceil(REFRESHES / 4));
const ROUNDS = Math.ceil(REFRESHES / OFFICES);
const DAY_MS = 86_400_000;

const offices = await Promise.all(Array.from({ length: OFFICES }, (_, at) => FaultyOffice.open(at)));
useTestState({
  SOURCE_PRIVATE_HOSTS: offices.map(({ host }) => host).join(),
  ...{ BUILD_RUNS_DAY: "100000", BUILD_DATASETS: "1000", WORKER_RUNS: "3", BUILD_RUNS_WORKSPACE: "3" },
  ...{ LIMIT_DOWNLOAD_MINUTE: "1000000", LIMIT_DOWNLOAD_DAY: "1000000", LIMIT_CATALOGUE_MINUTE: "1000000" },
});

let builder: Awaited<ReturnType<typeof startBuilder>>;
beforeAll(async () => {
  builder = await startBuilder();
});
afterAll(async () => {
  await builder?.close();
  for (const office of offices) office.close();
});

// biome-ignore lint/suspicious/noExplicitAny: replies of many tools
async function call(name: string, args: Record<string, unknown>): Promise<any> {
  const { structuredContent, content, isError } = await builder.client.callTool({ name, arguments: args });
  if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
  return structuredContent;
}

const recipeOf = ({ host }: FaultyOffice) => ({
  schema_version: "service-recipe.v1",
  sources: [
    { name: "office", kind: "http", url: `http://${host}/a.csv`, reader: { format: "csv" }, limits: { seconds: 4 } },
  ],
  tables: [
    {
      ...{ name: "rows", from: "office", steps: [{ step: "cast", columns: { id: "int64", level: "int64" } }] },
      columns: [
        { name: "id", type: "int64" },
        { name: "gauge", type: "string" },
        { name: "level", type: "int64" },
      ],
      ...{ primary_key: ["id"], checks: [{ check: "range", column: "level", min: 0 }] },
    },
    {
      ...{ name: "sums", from: "rows", columns: [{ name: "gauge", type: "string" }, { name: "sum" }] },
      steps: [
        { step: "aggregate", group_by: ["gauge"], aggregates: [{ function: "sum", column: "level", as: "sum" }] },
      ],
    },
  ],
  refresh: { every: "P1D" },
  publish: { license: "CC0-1.0", publisher: { name: "Offices" }, auto_promote: true },
});

const UNDER_WAY = ["queued", "running", "queued_full", "running_full"] as const;

/** Waits until no run is in progress. `look` is called repeatedly. */
async function atRest(look: () => Promise<void> = async () => undefined): Promise<void> {
  const { prisma } = await database();
  let failed: unknown;
  const underWay = async () => {
    await look().catch((error: unknown) => {
      failed = error; // not retried, unlike errors thrown by a poll
    });
    if (failed !== undefined) return 0;
    return prisma.run.count({ where: { state: { in: [...UNDER_WAY] } } });
  };
  await expect.poll(underWay, { timeout: 600_000, interval: 100 }).toBe(0);
  if (failed !== undefined) throw failed;
}

async function newSubjects(): Promise<OfficeDataset[]> {
  const { prisma } = await database();
  const slugs: string[] = [];
  for (const office of offices) {
    const { dataset } = await call("create_dataset", { title: `Office ${slugs.length}` });
    const args = { dataset: dataset.slug, recipe: recipeOf(office), start: true };
    const { run } = await call("register_recipe", args);
    await call("confirm_run", { run_id: run.run_id, wait_ms: 0 }); // several samples at once
    slugs.push(dataset.slug);
  }
  await atRest();
  for (const { id, recipeDigest } of await prisma.run.findMany()) {
    // biome-ignore lint/suspicious/noThenProperty: the word of the interface
    await call("approve_full_run", { run_id: id, recipe_digest: recipeDigest, then: { promote: "private" } });
  }
  await atRest();
  return Promise.all(
    offices.map(async (office, at) => {
      const slug = slugs[at] ?? "";
      const { id: datasetId } = await prisma.dataset.findUniqueOrThrow({ where: { slug } });
      const dataset = { id: datasetId, slug, workspaceId: builder.workspaceId };
      const tables = await activateTables(
        { dataset, by: {}, cause: { caller: "operator" as const }, now: new Date() },
        ADMINISTRATOR,
      );
      const paths = tables.map(({ table, hostedId }) => [table, `/api/v2/tables/${hostedId}/current`]);
      return { office, at, datasetId, slug, paths: Object.fromEntries(paths), served: 0, failures: 0 };
    }),
  );
}

/** One refresh of each dataset, while somebody reads. */
async function playRound(subjects: readonly OfficeDataset[], now: Date, reader: HostedReader): Promise<void> {
  await runSchedules(now);
  let turn = 0;
  await atRest(async () => {
    await reader.expectNothingHalf();
    const subject = subjects[turn++ % subjects.length];
    const table = turn % 2 ? "rows" : "sums";
    if (subject) await reader.expectServed(subject, table, [subject.served, subject.office.edition]);
  });
  await reader.expectNothingHalf();
}

/** One run of each dataset per round, which ended as its office determined. */
async function expectRunsOf(subjects: readonly OfficeDataset[], now: Date): Promise<void> {
  const { prisma } = await database();
  expect(await prisma.schedule.count({ where: { lastTickAt: now } })).toBe(subjects.length);
  const found: Record<string, string> = {};
  for (const { datasetId, slug, office } of subjects) {
    const run = await prisma.run.findFirst({ where: { datasetId }, orderBy: { createdAt: "desc" } });
    found[slug] = `${office.deed}: ${run?.outcome ?? run?.failureCode}`;
  }
  const expected = subjects.map(({ slug, office: { deed } }) => [slug, `${deed}: ${OFFICE_ENDS[deed].end}`]);
  expect(found).toEqual(Object.fromEntries(expected));
}

/** What the service recorded equals what the test counted. */
async function expectSums(
  { ends, readings, releases, retries }: OfficeBooks,
  subjects: readonly OfficeDataset[],
): Promise<void> {
  const { prisma } = await database();
  const runs = await prisma.run.findMany({ where: { kind: "refresh" } });
  const counted: Record<string, number> = {};
  for (const { outcome, failureCode } of runs) count(counted, outcome ?? failureCode ?? "");
  expect(counted).toEqual(ends);
  const where = { runId: { in: runs.map(({ id }) => id) } };
  const observations = await prisma.sourceObservation.findMany({ where });
  const observed: Record<string, number> = {};
  for (const { outcome, changed } of observations)
    count(observed, outcome === "failed" ? "failed" : changed ? "changed" : "unchanged");
  expect(observed).toEqual(readings);
  expect(new Set(observations.map(({ runId }) => runId)).size).toBe(runs.length);
  const sealed = 2 * (OFFICES + releases);
  expect([await prisma.release.count(), await prisma.version.count()]).toEqual([sealed, sealed]);
  expect(await prisma.runEvent.count({ where: { kind: "retry_planned" } })).toBe(retries);
  const schedules = await prisma.schedule.findMany();
  const inRow = new Map(schedules.map(({ datasetId, failuresInRow }) => [datasetId, failuresInRow]));
  expect(subjects.filter(({ datasetId, failures }) => inRow.get(datasetId) !== failures)).toEqual([]);
}

test("whatever sources do, the last good release is served completely, and runs and readings add up", {
  timeout: 3_600_000,
}, async () => {
  const subjects = await newSubjects();
  const reader = new HostedReader((await liveKey(builder.workspaceId)).key);
  const ledger = new OfficeBooks();
  const deed = officeDeeds(REFRESHES);
  let now = new Date();
  await runSchedules(now);
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const { office } of subjects) office.begin(deed.next().value, round);
    now = new Date(now.getTime() + DAY_MS);
    await playRound(subjects, now, reader);
    for (const subject of subjects) {
      expect(subject.office.requests).toBeGreaterThan(0);
      ledger.note(subject);
      for (const table of ["rows", "sums"]) await reader.expectServed(subject, table, [subject.served]);
    }
    expect(reader.wrong).toEqual([]);
    await expectRunsOf(subjects, now);
    await runSchedules(new Date()); // ended runs are accounted for, by the clock that they ended by
  }
  await expectSums(ledger, subjects);
  const { ends, readings, decoded } = ledger;
  process.stdout.write(
    `${ROUNDS * OFFICES} refreshes of ${OFFICES} datasets, ${decoded} through the sandbox, ${reader.reads} reads ` +
      `(${reader.unavailable} times 503, asked again): ` +
      `${JSON.stringify(ends)}; readings: ${JSON.stringify(readings)}\n`,
  );
});
