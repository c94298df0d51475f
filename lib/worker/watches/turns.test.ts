import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createWatch, listDeliveries, resendDelivery, testWatch } from "@/lib/operations/workspace/watches";
import { WAITING_MAX } from "@/lib/schemas/watch";
import { claimDelivery, releaseTurn } from "@/lib/store/news/deliveries";
import { recordNews } from "@/lib/store/news/news";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { startSource } from "@/lib/testing/source-server";
import { newWorkspace } from "@/lib/testing/workspace";
import { deliverNext } from "./deliver";
import { startDeliveries } from "./deliveries";

/** Accepts connections and never answers. */
async function startTarpit(): Promise<{ server: Server; held: Set<Socket>; host: string }> {
  const held = new Set<Socket>();
  const server = createServer((socket) => {
    held.add(socket);
    socket.on("error", () => undefined).once("close", () => held.delete(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { server, held, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const honest = await startSource();
const tarpits = await Promise.all(Array.from({ length: 10 }, startTarpit));
const hosts = [new URL(honest.origin).host, ...tarpits.map(({ host }) => host)];
useTestState({ SOURCE_PRIVATE_HOSTS: hosts.join(","), SMTP_URL: "smtp://127.0.0.1:1" });

beforeEach(async () => {
  const { prisma } = await database();
  await prisma.watch.deleteMany();
  honest.asked.length = 0;
  honest.answer((_request, reply) => void reply.writeHead(204).end());
});
afterAll(async () => {
  for (const { server, held } of tarpits) {
    for (const socket of held) socket.destroy();
    server.close();
  }
  await honest.close();
});

const NOW = new Date("2026-03-01T12:00:00Z");

/** A workspace's webhook of a dataset. */
async function webhookAt(host: string, { workspaceId, userId }: { workspaceId: string; userId: string }) {
  const { prisma } = await database();
  const slug = `d-${crypto.randomUUID()}`;
  const texts = { slug, title: "Levels", summary: "", description: "", sources: [] };
  const { id: datasetId } = await prisma.dataset.create({ data: { ...texts, visibility: "private", workspaceId } });
  const session = { cookie: await sessionCookie(userId) };
  const body = { channel: "webhook", url: `http://${host}/hook`, events: ["run_failed"], dataset: slug };
  const { body: made } = await call(createWatch, { workspace_id: workspaceId }, session, body);
  return { id: made.watch.id as string, workspaceId, datasetId, session };
}

/** Deliveries that have been due for longer the earlier they are in the list. */
async function addWaiting(watchIds: readonly string[], since: Date): Promise<void> {
  const { prisma } = await database();
  const event = { kind: "test", at: since.toISOString() };
  const rows = watchIds.map((watchId, index) => {
    const at = new Date(since.getTime() + index);
    return { watchId, event, state: "waiting" as const, nextAt: at, at };
  });
  await prisma.watchDelivery.createMany({ data: rows });
}

test("ninety deliveries to receivers that never answer delay no webhook of another workspace", async () => {
  const held = await newWorkspace();
  const stuck = await Promise.all(tarpits.map(({ host }) => webhookAt(host, held)));
  await addWaiting(
    Array.from({ length: 90 }, (_, index) => stuck[index % stuck.length]?.id ?? ""),
    NOW,
  );
  const { id } = await webhookAt(new URL(honest.origin).host, await newWorkspace());
  const errors: unknown[] = [];
  const stop = startDeliveries((error) => errors.push(error));
  const connected = () => tarpits.reduce((sum, each) => sum + each.held.size, 0);
  await expect.poll(connected, { timeout: 30_000 }).toBe(1);
  for (let sent = 1; sent <= 4; sent += 1) {
    await addWaiting([id], new Date());
    await expect.poll(() => honest.asked.length, { timeout: 5_000 }).toBe(sent);
    expect(connected()).toBeLessThanOrEqual(1);
  }
  const stopped = stop(new Promise(() => undefined));
  for (const { held } of tarpits) for (const socket of held) socket.destroy();
  await stopped;
  expect(errors).toEqual([]);
});

test("workspaces are served in turns, however many deliveries one has and however long they are due", async () => {
  const host = new URL(honest.origin).host;
  const [many, few, one] = await Promise.all(
    Array.from({ length: 3 }, async () => webhookAt(host, await newWorkspace())),
  );
  if (!many || !few || !one) throw new Error("no webhooks");
  await addWaiting(Array(6).fill(many.id), new Date(NOW.getTime() - 86_400_000));
  await addWaiting([few.id, few.id], NOW);
  await addWaiting([one.id], NOW);
  const served: string[] = [];
  for (let second = 1; second <= 9; second += 1) {
    const claimed = await claimDelivery("webhook", new Date(NOW.getTime() + second * 1000));
    if (!claimed) break;
    served.push(claimed.watch.workspaceId);
    const { prisma } = await database();
    await prisma.watchDelivery.update({ where: { id: claimed.id }, data: { state: "sent", nextAt: null } });
    await releaseTurn(claimed);
  }
  const turns = (from: number, to: number) => new Set(served.slice(from, to));
  expect(turns(0, 3)).toEqual(new Set([many.workspaceId, few.workspaceId, one.workspaceId]));
  expect(turns(3, 5)).toEqual(new Set([many.workspaceId, few.workspaceId]));
  expect(turns(5, 9)).toEqual(new Set([many.workspaceId]));
});

test("workers that claim at the same moment get deliveries of different workspaces", async () => {
  const host = new URL(honest.origin).host;
  const hooks = await Promise.all(Array.from({ length: 3 }, async () => webhookAt(host, await newWorkspace())));
  for (const { id } of hooks) await addWaiting(Array(5).fill(id), NOW);
  const claims = await Promise.all(Array.from({ length: 12 }, () => claimDelivery("webhook", NOW)));
  const served = claims.flatMap((claimed) => claimed?.watch.workspaceId ?? []);
  expect(new Set(served).size).toBe(served.length);
  expect(served.length).toBeGreaterThan(0);
});

test("disabling or deleting a watch does not free its workspace's turn while an attempt is made", async () => {
  const workspace = await newWorkspace();
  const host = new URL(honest.origin).host;
  const [first, second] = [await webhookAt(host, workspace), await webhookAt(host, workspace)];
  await addWaiting([first.id, second.id], NOW);
  const claimed = await claimDelivery("webhook", new Date(NOW.getTime() + 1000));
  expect(claimed?.watch.id).toBe(first.id);
  const { prisma } = await database();
  await prisma.watch.delete({ where: { id: first.id } });
  expect(await claimDelivery("webhook", new Date(NOW.getTime() + 2000))).toBeUndefined();
  if (claimed) await releaseTurn(claimed);
  expect((await claimDelivery("webhook", new Date(NOW.getTime() + 2000)))?.watch.id).toBe(second.id);
});

test("mail has turns of its own, and receivers that failed before come last within their workspace", async () => {
  const workspace = await newWorkspace();
  const host = new URL(honest.origin).host;
  const [failing, sound] = [await webhookAt(host, workspace), await webhookAt(host, workspace)];
  const { prisma } = await database();
  await prisma.watch.update({ where: { id: failing.id }, data: { failures: 3, failingSince: NOW } });
  const { workspaceId, userId } = workspace;
  const row = { workspaceId, userId, channel: "email" as const, target: "", events: ["run_failed"], createdAt: NOW };
  const { id: mail } = await prisma.watch.create({ data: row });
  await addWaiting([failing.id, sound.id, mail], NOW);
  const later = new Date(NOW.getTime() + 1000);
  expect((await claimDelivery("webhook", later))?.watch.id).toBe(sound.id);
  expect((await claimDelivery("email", later))?.watch.id).toBe(mail);
});

test("a receiver that failed before has less time to answer", async () => {
  const [tarpit] = tarpits;
  const { id } = await webhookAt(tarpit?.host ?? "", await newWorkspace());
  const { prisma } = await database();
  await prisma.watch.update({ where: { id }, data: { failures: 1, failingSince: NOW } });
  await addWaiting([id], NOW);
  const delivering = {
    connecting: honest.connecting({ privateHosts: hosts }),
    base: "https://data.example.org",
    signal: new AbortController().signal,
    send: async () => undefined,
    onError: () => undefined,
  };
  await deliverNext("webhook", delivering, () => NOW);
  const [delivery] = await prisma.watchDelivery.findMany({ where: { watchId: id } });
  expect(delivery?.answer).toBe(`${tarpit?.host} did not answer within 5 s.`);
});

test("a workspace with too many waiting deliveries gets no more, and its members read why", async () => {
  const { id, workspaceId, datasetId, session } = await webhookAt(new URL(honest.origin).host, await newWorkspace());
  const { prisma } = await database();
  await addWaiting(Array(WAITING_MAX - 1).fill(id), new Date(NOW.getTime() - 86_400_000));
  const run = { id: crypto.randomUUID(), kind: "refresh", trigger: "schedule" };
  const data = { run, failure: { code: "source_unreachable", message: "Cannot read from example.org." } };
  const happened = { kind: "run_failed" as const, datasetId, at: NOW, data };
  for (let news = 0; news < 2; news += 1) await prisma.$transaction((transaction) => recordNews(transaction, happened));
  const of = { workspace_id: workspaceId, watch_id: id };
  const { deliveries } = (await call(listDeliveries, of, session)).body;
  const told = deliveries.filter(({ event }: { event: string }) => event === "run_failed");
  const state = ({ state: one, answer }: { state: string; answer: string | null }) => [one, answer];
  const words = expect.stringContaining("1,000 deliveries of this workspace are waiting already");
  expect(told.map(state).toSorted()).toEqual([
    ["given_up", words],
    ["waiting", null],
  ]);
  const refused = { status: 409, body: { error: "conflict", message: words } };
  expect(await call(testWatch, of, session)).toMatchObject(refused);
  const given = told.find(({ state: one }: { state: string }) => one === "given_up");
  expect(await call(resendDelivery, { ...of, delivery_id: given.id }, session)).toMatchObject(refused);
  const other = await webhookAt(new URL(honest.origin).host, await newWorkspace());
  const asked = await call(testWatch, { workspace_id: other.workspaceId, watch_id: other.id }, other.session);
  expect(asked.status).toBe(202);
});
