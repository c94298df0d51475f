import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { ADMINISTRATOR, listAudit } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { runInProcesses } from "@/lib/testing/processes";
import { connectDataset, listConnected } from "./readings";
import { addUsage, type Use } from "./usage";
import { recordUse } from "./usage-buffer";
import { usageOf } from "./usage-report";

const state = useTestState();
const ids: Record<"workspace" | "other" | "key" | "open" | "hidden" | "openTable" | "hiddenTable", string> = {
  workspace: randomUUID(),
  other: randomUUID(),
  key: randomUUID(),
  open: randomUUID(),
  hidden: randomUUID(),
  openTable: randomUUID(),
  hiddenTable: randomUUID(),
};

beforeAll(async () => {
  const { prisma } = await database();
  for (const id of [ids.workspace, ids.other]) await prisma.workspace.create({ data: { id, name: id } });
  const key = {
    id: ids.key,
    kind: "use",
    hash: new Uint8Array(32),
    first4: "abcd",
    last4: "wxyz",
    name: "laptop",
    workspaceId: ids.workspace,
  } as const;
  await prisma.accessKey.create({ data: key });
  const publisher = { create: { slug: "p", name: "P" } };
  const about = { summary: "", description: "", topics: [], license: "CC0-1.0", sources: [] };
  await prisma.dataset.create({ data: { ...about, id: ids.open, slug: "open", title: "Open", publisher } });
  const hidden = {
    ...about,
    id: ids.hidden,
    slug: "hidden",
    title: "Hidden",
    visibility: "private",
    workspaceId: ids.other,
  } as const;
  await prisma.dataset.create({ data: { ...hidden, publisherId: (await prisma.publisher.findFirstOrThrow()).id } });
  await prisma.table.create({
    data: { id: ids.openTable, datasetId: ids.open, slug: "rows", name: "Rows", description: "" },
  });
  await prisma.table.create({
    data: { id: ids.hiddenTable, datasetId: ids.hidden, slug: "rows", name: "Secret rows", description: "" },
  });
});

const use = (more: Partial<Use>): Use => ({
  day: "2026-11-20",
  workspaceId: ids.workspace,
  keyId: ids.key,
  tableId: ids.openTable,
  queries: 1,
  downloads: 0,
  rows: 10,
  bytes: 500,
  ...more,
});

describe("what a workspace read", () => {
  test(
    "by day with the empty ones, by table and by key, over the span and on its last day; names of what it may " +
      "not read stay hidden",
    async () => {
      const lostKey = randomUUID();
      const uses = [
        use({ queries: 3, rows: 30, bytes: 1500 }),
        use({ day: "2026-11-18", tableId: ids.hiddenTable }),
        use({ day: "2026-11-17", queries: 0, downloads: 1, rows: 0, bytes: 2 ** 40, keyId: lostKey }),
        use({ day: "2026-11-16", queries: 99 }),
      ];
      await addUsage({ uses: [...uses, use({ workspaceId: ids.other, keyId: randomUUID(), queries: 1000 })] });
      const lastDay = { queries: 3, downloads: 0, rows: 30, bytes: 1500 };
      const none = { queries: 0, downloads: 0, rows: 0, bytes: 0 };
      const laptop = { kind: "use", name: "laptop", first4: "abcd", last4: "wxyz", userId: null, revokedAt: null };
      const openTable = {
        tableId: ids.openTable,
        tableSlug: "rows",
        tableName: "Rows",
        datasetSlug: "open",
        datasetTitle: "Open",
      };
      const hiddenTable = {
        tableId: ids.hiddenTable,
        tableSlug: null,
        tableName: null,
        datasetSlug: null,
        datasetTitle: null,
      };
      expect(await usageOf(ids.workspace, { from: "2026-11-17", to: "2026-11-20" })).toEqual({
        total: { queries: 4, downloads: 1, rows: 40, bytes: 2000 + 2 ** 40, lastDay },
        days: [
          { day: "2026-11-17", queries: 0, downloads: 1, rows: 0, bytes: 2 ** 40 },
          { day: "2026-11-18", queries: 1, downloads: 0, rows: 10, bytes: 500 },
          { day: "2026-11-19", ...none },
          { day: "2026-11-20", ...lastDay },
        ],
        tables: [
          { ...openTable, queries: 3, downloads: 1, rows: 30, bytes: 1500 + 2 ** 40, lastDay },
          { ...hiddenTable, queries: 1, downloads: 0, rows: 10, bytes: 500, lastDay: none },
        ],
        keys: [
          { keyId: ids.key, ...laptop, queries: 4, downloads: 0, rows: 40, bytes: 2000, lastDay },
          {
            keyId: lostKey,
            kind: null,
            name: null,
            first4: null,
            last4: null,
            userId: null,
            revokedAt: null,
            queries: 0,
            downloads: 1,
            rows: 0,
            bytes: 2 ** 40,
            lastDay: none,
          },
        ],
      });
    },
  );

  test("a use of this process is shown at once; a workspace without any has zeros", async () => {
    const workspaceId = randomUUID();
    const span = { from: "2026-10-22", to: "2026-11-21" };
    const before = await usageOf(workspaceId, span);
    expect(before).toMatchObject({ total: { queries: 0, lastDay: { queries: 0 } }, tables: [], keys: [] });
    expect(before.days).toHaveLength(31);
    recordUse(use({ workspaceId, keyId: randomUUID(), day: "2026-11-21" }), () => {});
    expect((await usageOf(workspaceId, span)).total).toMatchObject({ queries: 1, lastDay: { queries: 1 } });
  });
});

describe("connected datasets", () => {
  test("fifty first reads at once in three processes connect a dataset once, and the first time is kept", async () => {
    const script = `
      import { connectDataset } from "@/lib/store/usage/readings";
      import { closeDatabase } from "@/lib/store/postgres/database";
      await Promise.all(Array.from({ length: 17 }, () => connectDataset("${ids.workspace}", "${ids.open}", { actor: "operator" })));
      await closeDatabase();`;
    const variables = { DATABASE_URL: state.databaseUrl(), PARQUETRY_DATA_DIR: state.dataDir() };
    expect(await runInProcesses(3, script, variables)).toEqual([0, 0, 0]);
    const [first, ...more] = await listConnected({ workspaceId: ids.workspace });
    expect(more).toEqual([]);
    await connectDataset(ids.workspace, ids.open, ADMINISTRATOR);
    expect(await listConnected({ workspaceId: ids.workspace })).toEqual([first]);
    const told = (await listAudit({ workspaceId: ids.workspace, limit: 100 })).map(({ action, subject }) => [
      action,
      subject,
    ]);
    expect(told).toEqual([["dataset.connected", "open"]]);
  });

  test(
    "are listed with the day of the last read, and without a name where the workspace may no longer read " + "them",
    async () => {
      await connectDataset(ids.workspace, ids.hidden, ADMINISTRATOR);
      expect(await listConnected({ workspaceId: ids.workspace })).toMatchObject([
        { slug: null, title: null, lastReadOn: "2026-11-18" },
        { slug: "open", title: "Open", lastReadOn: "2026-11-20" },
      ]);
      expect(await listConnected({ workspaceId: ids.other })).toEqual([]);
    },
  );
});
