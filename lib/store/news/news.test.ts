import { expect, test } from "vitest";
import type { NewsKind } from "@/lib/schemas/news-kinds";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { newWorkspace } from "@/lib/testing/workspace";
import type { Prisma } from "@/prisma/generated/client";
import { openNews, recordNews, tidyNews } from "./news";

useTestState();

const AT = new Date("2026-03-01T12:00:00Z");
const RUN = { id: crypto.randomUUID(), kind: "refresh", trigger: "schedule" };
const FAILED = { run: RUN, failure: { code: "source_unreachable", message: "Cannot read from example.org." } };
const VERDICT = { state: "stale", reason_code: "expected_window_passed", expected_next_latest: AT.toISOString() };

async function newDataset(workspaceId: string, visibility: "public" | "private") {
  const { prisma } = await database();
  const slug = `d-${crypto.randomUUID()}`;
  const texts = { slug, title: "Levels", summary: "", description: "", license: "CC0-1.0", sources: [] };
  const publisher = { create: { slug, name: slug } };
  const tables = { create: [{ slug: "levels", name: "Levels", description: "" }] };
  return prisma.dataset.create({
    data: { ...texts, visibility, workspace: { connect: { id: workspaceId } }, publisher, tables },
    include: { tables: true },
  });
}

async function watch(workspaceId: string, given: Partial<Prisma.WatchUncheckedCreateInput>): Promise<string> {
  const { prisma } = await database();
  const target = "https://receiver.example.org/hook";
  const data = { workspaceId, channel: "webhook" as const, target, events: ["released"], createdAt: AT, ...given };
  return (await prisma.watch.create({ data })).id;
}

async function deliveriesOf(watchId: string): Promise<unknown[]> {
  const { prisma } = await database();
  return (await prisma.watchDelivery.findMany({ where: { watchId } })).map(({ event }) => event);
}

async function record(datasetId: string, kind: NewsKind, tables: { id: string; slug: string }[] = []): Promise<void> {
  const { prisma } = await database();
  await prisma.$transaction(async (transaction) => {
    const to = { datasetId, at: AT };
    if (kind === "run_failed") await recordNews(transaction, { kind, ...to, data: FAILED });
    if (kind === "went_stale") await recordNews(transaction, { kind, ...to, data: { tables, freshness: VERDICT } });
  });
}

test("news reaches only watches that requested it and whose workspace may read the dataset", async () => {
  const [own, other] = [(await newWorkspace()).workspaceId, (await newWorkspace()).workspaceId];
  const open = await newDataset(own, "public");
  const closed = await newDataset(own, "private");
  const [table] = open.tables;
  if (!table) throw new Error("no table");
  const events = ["run_failed", "went_stale"];
  const all = await watch(own, { events });
  const one = await watch(own, { events, datasetId: open.id });
  const anotherTable = await watch(own, { events, datasetId: open.id, tableId: closed.tables[0]?.id ?? null });
  const foreign = await watch(other, { events, datasetId: open.id });
  const foreignClosed = await watch(other, { events, datasetId: closed.id });
  const others = await watch(other, { events });
  const unasked = await watch(own, { datasetId: open.id });
  const disabled = await watch(own, { events, disabledAt: AT });

  await record(open.id, "went_stale", [table]);
  await record(closed.id, "went_stale");
  await record(open.id, "run_failed");

  const dataset = { id: open.id, slug: open.slug, title: "Levels", visibility: "public" };
  const at = AT.toISOString();
  const stale = {
    kind: "went_stale",
    at,
    dataset,
    data: { tables: [{ id: table.id, slug: table.slug }], freshness: VERDICT },
  };
  const failed = { kind: "run_failed", at, dataset, data: FAILED };
  expect(await deliveriesOf(all)).toHaveLength(3);
  expect(await deliveriesOf(one)).toEqual(expect.arrayContaining([stale, failed]));
  expect(await deliveriesOf(one)).toHaveLength(2);
  expect(await deliveriesOf(anotherTable)).toEqual([failed]);
  expect(await deliveriesOf(foreign)).toEqual([stale]);
  for (const id of [foreignClosed, others, unasked, disabled]) expect(await deliveriesOf(id)).toEqual([]);
});

test("an event that is rolled back is not reported", async () => {
  const { prisma } = await database();
  const { workspaceId } = await newWorkspace();
  const { id } = await newDataset(workspaceId, "public");
  const hears = await watch(workspaceId, { events: ["run_failed"] });
  const broken = prisma.$transaction(async (transaction) => {
    await recordNews(transaction, { kind: "run_failed", datasetId: id, at: AT, data: FAILED });
    throw new Error("the event itself failed");
  });
  await expect(broken).rejects.toThrow("the event itself failed");
  expect(await deliveriesOf(hears)).toEqual([]);
  expect(await prisma.news.count({ where: { datasetId: id } })).toBe(0);
});

test("email is for members: a person who left the workspace gets no more news", async () => {
  const { prisma } = await database();
  const { workspaceId, userId } = await newWorkspace();
  const { id } = await newDataset(workspaceId, "public");
  const mail = await watch(workspaceId, { channel: "email", target: "", userId, events: ["run_failed"] });
  await record(id, "run_failed");
  expect(await deliveriesOf(mail)).toHaveLength(1);
  await prisma.membership.deleteMany({ where: { userId, workspaceId } });
  await record(id, "run_failed");
  expect(await deliveriesOf(mail)).toHaveLength(1);
});

test("everybody gets news of public datasets, and only members news of their runs", async () => {
  const { workspaceId } = await newWorkspace();
  const open = await newDataset(workspaceId, "public");
  const closed = await newDataset(workspaceId, "private");
  for (const { id, tables } of [open, closed]) {
    await record(id, "run_failed");
    await record(id, "went_stale", tables);
  }
  const heard = async (reader?: string, dataset?: string) =>
    (
      await openNews(reader === undefined ? undefined : { workspaceId: reader }, {
        limit: 100,
        ...(dataset && { dataset }),
      })
    ).map(({ event }) => `${event.kind} ${event.dataset.slug}`);
  expect(await heard(undefined, open.slug)).toEqual([`went_stale ${open.slug}`]);
  expect(await heard(undefined, closed.slug)).toEqual([]);
  expect(await heard(workspaceId, closed.slug)).toEqual([`went_stale ${closed.slug}`]);
  const all = await heard();
  expect(all).toContain(`went_stale ${open.slug}`);
  expect(all.join()).not.toContain(closed.slug);
  expect(all.join()).not.toContain("run_failed");
});

test("news older than 400 days is deleted with its deliveries, newer news is kept", async () => {
  const { workspaceId } = await newWorkspace();
  const { id: datasetId, slug } = await newDataset(workspaceId, "public");
  const watchId = await watch(workspaceId, { events: ["went_stale"] });
  await record(datasetId, "went_stale");
  const day = 86_400_000;
  const told = async () => [
    (await openNews(undefined, { dataset: slug, limit: 9 })).length,
    (await deliveriesOf(watchId)).length,
  ];
  await tidyNews(new Date(AT.getTime() + 400 * day));
  expect(await told()).toEqual([1, 1]);
  await tidyNews(new Date(AT.getTime() + 400 * day + 1));
  expect(await told()).toEqual([0, 0]);
});
