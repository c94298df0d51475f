import { Webhook } from "standardwebhooks";
import { afterAll, expect, test } from "vitest";
import type { Mail } from "@/lib/mail/mailer";
import { createWatch, listDeliveries } from "@/lib/operations/workspace/watches";
import { ATTEMPTS_MAX, claimDelivery } from "@/lib/store/news/deliveries";
import { recordNews } from "@/lib/store/news/news";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { WorkerProcess } from "@/lib/testing/killable-service";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { startSource } from "@/lib/testing/source-server";
import { newWorkspace } from "@/lib/testing/workspace";
import type { WatchDelivery } from "@/prisma/generated/client";
import { deliverNext } from "./deliver";

const receiver = await startSource();
const elsewhere = await startSource();
const host = new URL(receiver.origin).host;
const state = useTestState({ SOURCE_PRIVATE_HOSTS: host, SMTP_URL: "smtp://127.0.0.1:1" });
afterAll(async () => {
  await receiver.close();
  await elsewhere.close();
});

const START = new Date("2026-03-01T12:00:00Z");
const emails: Mail[] = [];
const send = async (mail: Mail): Promise<void> => void emails.push(mail);
const delivering = {
  connecting: receiver.connecting(),
  base: "https://data.example.org",
  signal: new AbortController().signal,
  send,
  onError: (error: unknown): void => {
    throw error;
  },
};
const answer = (status: number, headers: Record<string, string> = {}): void =>
  receiver.answer((_request, reply) => void reply.writeHead(status, headers).end("a secret of the receiver"));

/** A dataset of a new workspace, with a webhook for its failed runs. */
async function watched(path = "/hook") {
  const { prisma } = await database();
  await prisma.watch.deleteMany(); // watches of other tests have nothing due any more
  const { workspaceId, userId, email } = await newWorkspace();
  const slug = `d-${crypto.randomUUID()}`;
  const texts = { slug, title: "Levels\r\nBcc: x@example.org", summary: "", description: "", sources: [] };
  const { id: datasetId } = await prisma.dataset.create({ data: { ...texts, visibility: "private", workspaceId } });
  const session = { cookie: await sessionCookie(userId) };
  const body = { channel: "webhook", url: `${receiver.origin}${path}`, events: ["run_failed"], dataset: slug };
  const { body: made } = await call(createWatch, { workspace_id: workspaceId }, session, body);
  receiver.asked.length = 0;
  emails.length = 0;
  return { workspaceId, datasetId, slug, email, session, watchId: made.watch.id, secret: made.secret as string };
}

async function fail(datasetId: string, at: Date): Promise<void> {
  const { prisma } = await database();
  const run = { id: crypto.randomUUID(), kind: "refresh", trigger: "schedule" };
  const data = { run, failure: { code: "source_unreachable", message: "Cannot read from example.org." } };
  await prisma.$transaction((transaction) => recordNews(transaction, { kind: "run_failed", datasetId, at, data }));
}

async function deliveriesOf(watchId: string): Promise<WatchDelivery[]> {
  const { prisma } = await database();
  return prisma.watchDelivery.findMany({ where: { watchId }, orderBy: { at: "asc" } });
}

const stored = async (watchId: string) => (await database()).prisma.watch.findUniqueOrThrow({ where: { id: watchId } });

/** What arrived, as a receiver reads it. */
const arrived = () =>
  receiver.asked.map(({ headers, body }) => ({
    id: headers["webhook-id"],
    attempt: headers["webhook-attempt"],
    type: JSON.parse(body).type,
    body,
    headers: headers as Record<string, string>,
  }));

const at = (ms: number) => () => new Date(START.getTime() + ms);

test("a receiver verifies id, time and body of a webhook with the library of Standard Webhooks", async () => {
  const { datasetId, watchId, secret, slug } = await watched();
  answer(204);
  await fail(datasetId, new Date());
  expect(await deliverNext("webhook", delivering, () => new Date())).toBe(true);
  expect(await deliverNext("webhook", delivering, () => new Date())).toBe(false);

  const [message] = arrived();
  if (!message) throw new Error("nothing arrived");
  const webhook = new Webhook(secret);
  expect(webhook.verify(message.body, message.headers)).toMatchObject({
    type: "run_failed",
    data: {
      dataset: { slug },
      failure: { code: "source_unreachable" },
      url: expect.stringContaining(`https://data.example.org/studio/${slug}/runs/`),
    },
  });
  const [delivery] = await deliveriesOf(watchId);
  expect(delivery).toMatchObject({ state: "sent", attempts: 1, status: 204, answer: `${host} answered 204.` });
  expect(message.id).toBe(delivery?.id);

  const signed = message.headers;
  const replayed = { ...signed, "webhook-timestamp": String(Number(signed["webhook-timestamp"]) + 600) };
  const another = { ...signed, "webhook-id": crypto.randomUUID() };
  expect(() => webhook.verify(message.body.replace("refresh", "replay"), signed)).toThrow();
  expect(() => webhook.verify(message.body, replayed)).toThrow();
  expect(() => webhook.verify(message.body, another)).toThrow();
  const old = { ...signed, "webhook-timestamp": String(Number(signed["webhook-timestamp"]) - 600) };
  expect(() => webhook.verify(message.body, old)).toThrow("too old");
});

test("in an outage a message is retried after growing pauses, under the same id", async () => {
  const { datasetId, watchId } = await watched();
  answer(503);
  await fail(datasetId, START);
  const pauses: number[] = [];
  let now = START.getTime();
  for (;;) {
    expect(await deliverNext("webhook", delivering, () => new Date(now))).toBe(true);
    const [delivery] = await deliveriesOf(watchId);
    if (!delivery?.nextAt) break;
    expect(await deliverNext("webhook", delivering, () => new Date((delivery.nextAt?.getTime() ?? 0) - 1))).toBe(false);
    pauses.push((delivery.nextAt.getTime() - now) / 1000);
    now = delivery.nextAt.getTime();
  }
  expect(pauses).toEqual([5, 60, 300, 1800, 7200, 18_000, 36_000, 36_000]);
  expect(arrived().map(({ attempt }) => Number(attempt))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(new Set(arrived().map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
  expect(ATTEMPTS_MAX).toBe(9);
  expect(await deliveriesOf(watchId)).toMatchObject([{ state: "given_up", attempts: 9, status: 503 }]);
  expect(await stored(watchId)).toMatchObject({ disabledAt: null, failures: 9 });
});

test("after an outage waiting messages arrive, and the watch's failures are reset", async () => {
  const { datasetId, watchId } = await watched();
  answer(500);
  await fail(datasetId, START);
  await deliverNext("webhook", delivering, at(0));
  answer(200);
  await deliverNext("webhook", delivering, at(5_000));
  expect(arrived().map(({ attempt }) => attempt)).toEqual(["1", "2"]);
  expect(await deliveriesOf(watchId)).toMatchObject([{ state: "sent", attempts: 2, status: 200 }]);
  expect(await stored(watchId)).toMatchObject({ failures: 0, failingSince: null, lastSentAt: at(5_000)() });
});

test("a receiver may ask for a longer pause", async () => {
  const { datasetId, watchId } = await watched();
  answer(429, { "retry-after": "120" });
  await fail(datasetId, START);
  await deliverNext("webhook", delivering, at(0));
  expect(await deliveriesOf(watchId)).toMatchObject([{ nextAt: at(120_000)() }]);
});

test("a webhook to which nothing arrives for three days is disabled, and its owners are notified", async () => {
  const { datasetId, watchId, email } = await watched();
  answer(500);
  await fail(datasetId, START);
  await deliverNext("webhook", delivering, at(0));
  await fail(datasetId, at(1)());
  const last = at(3 * 86_400_000);
  const { prisma } = await database();
  const [first, second] = await deliveriesOf(watchId);
  await prisma.watchDelivery.update({ where: { id: first?.id ?? "" }, data: { attempts: ATTEMPTS_MAX - 1 } });
  await prisma.watchDelivery.update({ where: { id: second?.id ?? "" }, data: { nextAt: at(4 * 86_400_000)() } });
  await deliverNext("webhook", delivering, last);
  expect(await stored(watchId)).toMatchObject({ disabledAt: last(), disabledReason: expect.stringContaining("500") });
  expect(await deliveriesOf(watchId)).toMatchObject([
    { state: "given_up", attempts: 9 },
    { state: "given_up", attempts: 0, answer: "The watch was disabled." },
  ]);
  expect(emails).toMatchObject([{ to: email, text: expect.stringContaining(host) }]);
  await fail(datasetId, at(5 * 86_400_000)());
  expect(await deliveriesOf(watchId)).toHaveLength(2);
});

test("410 disables a webhook immediately", async () => {
  const { datasetId, watchId } = await watched();
  answer(410);
  await fail(datasetId, START);
  await deliverNext("webhook", delivering, at(0));
  expect(await stored(watchId)).toMatchObject({ disabledAt: at(0)(), disabledReason: expect.stringContaining("410") });
  expect(await deliveriesOf(watchId)).toMatchObject([{ state: "given_up" }]);
});

test("redirects are not followed, and no reply's body is stored", async () => {
  const { datasetId, watchId } = await watched();
  answer(307, { location: `${elsewhere.origin}/stolen` });
  await fail(datasetId, START);
  await deliverNext("webhook", delivering, at(0));
  expect(elsewhere.asked).toEqual([]);
  expect(await deliveriesOf(watchId)).toMatchObject([
    { state: "waiting", status: 307, answer: `${host} answered 307: redirects are not followed.` },
  ]);
});

test("a URL that is no longer allowed, or leads into the service's own network, gets no request", async () => {
  const { datasetId, watchId } = await watched();
  await fail(datasetId, START);
  const closed = { ...delivering, connecting: receiver.connecting({ privateHosts: [] }) };
  await deliverNext("webhook", closed, at(0));
  expect(receiver.asked).toEqual([]);
  expect(await deliveriesOf(watchId)).toMatchObject([
    { state: "waiting", status: null, answer: `${host} is not a public https address.` },
  ]);
});

test("each workspace has one message in progress at a time, and a lost attempt is repeated", async () => {
  const { datasetId, watchId } = await watched();
  answer(200);
  await fail(datasetId, START);
  await fail(datasetId, at(1)());
  const lost = await claimDelivery("webhook", at(10)());
  expect(lost?.attempt).toBe(1);
  expect(await claimDelivery("webhook", at(20)())).toBeUndefined();
  while (await deliverNext("webhook", delivering, at(61_000)));
  expect(arrived().map(({ id, attempt }) => [id === lost?.id, attempt])).toEqual([
    [true, "2"],
    [false, "1"],
  ]);
  expect((await deliveriesOf(watchId)).map(({ state: one }) => one)).toEqual(["sent", "sent"]);
});

test("a worker killed while it sends loses nothing, and its message is sent again as attempt 2", async () => {
  const { datasetId, watchId, session, workspaceId } = await watched("/killed");
  await fail(datasetId, new Date());
  const variables = { DATABASE_URL: state.databaseUrl(), SOURCE_PRIVATE_HOSTS: host, PARQUETRY_LOG_LEVEL: "error" };
  const worker = new WorkerProcess(variables);
  const killed = new Promise<void>((resolve) =>
    receiver.answer(() => {
      worker.kill(); // before any reply
      resolve();
    }),
  );
  await killed;
  answer(200);
  const { prisma } = await database();
  await prisma.deliveryTurn.updateMany({ where: { workspaceId }, data: { heldUntil: new Date(0) } }); // its minute is over
  const sent = [{ state: "sent", attempts: 2, status: 200 }];
  await expect.poll(() => deliveriesOf(watchId)).toMatchObject(sent);
  await worker.stop();
  expect(arrived().map(({ attempt }) => attempt)).toEqual(["1", "2"]);
  expect(new Set(arrived().map(({ id }) => id)).size).toBe(1);
  const listed = await call(listDeliveries, { workspace_id: workspaceId, watch_id: watchId }, session);
  expect(listed.body.deliveries).toMatchObject([{ ...sent[0], event: "run_failed", answer: `${host} answered 200.` }]);
});

test("an email reports what happened under one message id, and says if it may be a repeat", async () => {
  const { prisma } = await database();
  const { workspaceId, datasetId, email } = await watched();
  const { id: userId } = await prisma.user.update({ where: { email }, data: { emailVerified: START } });
  await prisma.watch.deleteMany({ where: { workspaceId } });
  const row = { workspaceId, userId, channel: "email" as const, target: "", events: ["run_failed"], createdAt: START };
  const { id: watchId } = await prisma.watch.create({ data: row });
  await fail(datasetId, START);
  const down = { ...delivering, send: () => Promise.reject(new Error("421")) };
  await deliverNext("email", down, at(0));
  expect(await deliveriesOf(watchId)).toMatchObject([{ answer: "The mail server did not accept it." }]);
  await deliverNext("email", delivering, at(5_000));
  const [delivery] = await deliveriesOf(watchId);
  expect(emails).toMatchObject([
    { to: email, subject: "Run failed: Levels Bcc: x@example.org", messageId: `<${delivery?.id}@data.example.org>` },
  ]);
  expect(emails[0]?.text).toContain("Cannot read from example.org. (source_unreachable)");
  expect(emails[0]?.text).toContain("You may already have received it.");
});
