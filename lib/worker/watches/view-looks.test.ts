import { Webhook } from "standardwebhooks";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Mail } from "@/lib/mail/mailer";
import { deleteSavedView, saveView } from "@/lib/operations/account/saved-views";
import { closeReadingEngine, readingEngine } from "@/lib/operations/reading/reading-engine";
import {
  changeWatch,
  createWatch,
  listDeliveries,
  listWatches,
  resendDelivery,
} from "@/lib/operations/workspace/watches";
import type { PublishRequest } from "@/lib/schemas/publish";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { withdrawVersion } from "@/lib/store/datasets/withdrawal";
import { claimView, settleView } from "@/lib/store/news/watched-results";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { startSource } from "@/lib/testing/source-server";
import { newWorkspace } from "@/lib/testing/workspace";
import { deliverNext } from "./deliver";
import { lookNext } from "./view-looks";

const receiver = await startSource();
const host = new URL(receiver.origin).host;
useTestState({
  SOURCE_PRIVATE_HOSTS: host,
  SMTP_URL: "smtp://127.0.0.1:1",
  LIMIT_VIEW_WATCHES: "3",
  PARQUETRY_LOG_LEVEL: "error",
});
afterAll(async () => {
  await closeReadingEngine();
  await receiver.close();
});
beforeEach(async () => {
  const { prisma } = await database();
  await prisma.watch.deleteMany();
  receiver.asked.length = 0;
  receiver.answer((_request, reply) => void reply.writeHead(204).end());
});

const emails: Mail[] = [];
const fails = (error: unknown): void => {
  throw error;
};
const delivering = {
  connecting: receiver.connecting(),
  base: "https://data.example.org",
  signal: new AbortController().signal,
  send: async (mail: Mail): Promise<void> => void emails.push(mail),
  onError: fails,
};
const looking = { now: () => new Date(), signal: delivering.signal, engine: readingEngine, onError: fails };

/** Looks at all watched views and sends everything, as workers do; returns the bodies that arrived. */
async function told() {
  while (await lookNext(looking));
  while (await deliverNext("webhook", delivering, looking.now));
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect bodies of every shape
  return receiver.asked.splice(0).map(({ body }) => JSON.parse(body) as any);
}

type Columns = PublishRequest["columns"];

/** A person with a saved view of a table, and a webhook that watches it. */
async function watchedView(
  query: string,
  csv: string,
  more: { columns?: Columns; primaryKey?: string[]; threshold?: object } = {},
) {
  const slug = `d-${crypto.randomUUID()}`;
  const keyed = more.primaryKey ? { primaryKey: more.primaryKey } : {};
  const publish = (text: string, columns = more.columns) =>
    publishText(slug, text, { ...keyed, ...(columns && { columns }) });
  const first = await publish(csv);
  const { workspaceId, userId, email } = await newWorkspace();
  const session = { cookie: await sessionCookie(userId) };
  const watch = async (
    threshold = more.threshold,
    channel: object = { channel: "webhook", url: `${receiver.origin}/` },
  ) => {
    const saved = await call(saveView, {}, session, { table_id: first.table_id, query });
    const view = saved.body.view.id as string;
    const made = await call(createWatch, { workspace_id: workspaceId }, session, {
      ...channel,
      view,
      ...(threshold && { threshold }),
    });
    return { view, made };
  };
  const { view, made } = await watch();
  if (made.status !== 201) throw new Error(made.text);
  const own = { workspaceId, userId, email, session, slug, first, publish, watch, view };
  return { ...own, watchId: made.body.watch.id as string, secret: made.body.secret as string, watch };
}

const AIRPORTS = "origin,delay\nJFK,10\nJFK,20\nLAX,5\n";
const BY_ORIGIN = "group=origin&agg=avg:delay:mean&agg=count::flights&title=Delays";

describe("a grouped view", () => {
  test("tells a signed webhook what changed, between which versions, and where to see both", async () => {
    const { publish, secret, slug, first, view } = await watchedView(BY_ORIGIN, AIRPORTS);
    expect(await told()).toEqual([]);
    const second = await publish("origin,delay\nJFK,10\nJFK,30\nSFO,7\n");
    while (await lookNext(looking));
    await deliverNext("webhook", delivering, looking.now);
    const [message] = receiver.asked;
    if (!message) throw new Error("nothing arrived");
    const body = new Webhook(secret).verify(message.body, message.headers as Record<string, string>);
    const at = (version: string) => `https://data.example.org/datasets/${slug}/rows?${BY_ORIGIN}&version=${version}`;
    expect(body).toMatchObject({
      type: "view_changed",
      data: {
        url: at(second.version_id),
        dataset: { slug },
        view: { id: view, title: "Delays" },
        table: { id: first.table_id, slug: "rows" },
        before: { id: first.version_id, url: at(first.version_id) },
        after: { id: second.version_id, url: at(second.version_id) },
        threshold: null,
        change: {
          keys: ["origin"],
          ...{ added: 1, removed: 1, changed: 1, reordered: false, columns_added: [], columns_removed: [] },
          rows: [
            { before: { origin: "JFK", mean: 15, flights: 2 }, after: { origin: "JFK", mean: 20, flights: 2 } },
            { before: null, after: { origin: "SFO", mean: 7, flights: 1 } },
            { before: { origin: "LAX", mean: 5, flights: 1 }, after: null },
          ],
        },
      },
    });
  });
});

describe("versions", () => {
  test("one that leaves the result as it was tells nothing, and the next change is told from it on", async () => {
    const { publish } = await watchedView(BY_ORIGIN, AIRPORTS);
    const same = await publish("origin,delay\nLAX,5\nJFK,12\nJFK,18\n");
    expect(await told()).toEqual([]);
    await publish("origin,delay\nLAX,6\nJFK,12\nJFK,18\n");
    const [message, ...others] = await told();
    expect(others).toEqual([]);
    expect(message.data).toMatchObject({ before: { id: same.version_id }, change: { changed: 1 } });
    expect(await told()).toEqual([]);
  });

  test("several between two looks are one message, from the version seen last to the present one", async () => {
    const { publish, first } = await watchedView("agg=avg:delay:mean", AIRPORTS);
    await publish("origin,delay\nJFK,1\n");
    const last = await publish("origin,delay\nJFK,2\n");
    const messages = await told();
    expect(messages.map(({ data }) => [data.before.id, data.after.id])).toEqual([[first.version_id, last.version_id]]);
    expect(messages[0].data.change.rows).toEqual([{ before: { mean: 35 / 3 }, after: { mean: 2 } }]);
  });

  test("a withdrawal that makes an earlier version current again is a change like any other", async () => {
    const { publish, first } = await watchedView("agg=sum:delay:total", AIRPORTS);
    const second = await publish("origin,delay\nJFK,1\n");
    await told();
    await withdrawVersion(second.version_id, "wrong", ADMINISTRATOR);
    const [message, ...others] = await told();
    expect(others).toEqual([]);
    expect([message.data.before.id, message.data.after.id]).toEqual([second.version_id, first.version_id]);
    // what was withdrawn is not repeated
    expect(message.data.change).toMatchObject({ changed: 1, rows: [] });
  });

  test("the result of a withdrawn version is neither listed nor sent, not even if it was waiting", async () => {
    const { publish, workspaceId, session, watchId } = await watchedView("agg=sum:delay:total", AIRPORTS);
    const second = await publish("origin,delay\nJFK,77777\n");
    while (await lookNext(looking));
    const listed = async () => (await call(listWatches, { workspace_id: workspaceId }, session)).body.watches[0];
    expect(JSON.stringify(await listed())).toContain("77777");
    await withdrawVersion(second.version_id, "wrong", ADMINISTRATOR);
    expect((await listed()).view.last_result).toBeNull();
    const bodies = JSON.stringify(await told());
    expect(bodies).not.toContain("77777");
    const path = { workspace_id: workspaceId, watch_id: watchId };
    const { deliveries } = (await call(listDeliveries, path, session)).body;
    expect(deliveries.map(({ state }: { state: string }) => state).sort()).toEqual(["given_up", "sent"]);
  });

  test("nothing is told of a looked-up table that the workspace may no longer read", async () => {
    const other = `d-${crypto.randomUUID()}`;
    const named = await publishText(other, "origin,city\nJFK,Gotham\n", { primaryKey: ["origin"] });
    const lookup = `lookup=about:${named.table_id}:origin,origin:city`;
    const { publish, workspaceId, session } = await watchedView(`${lookup}&group=about.city&agg=count::n`, AIRPORTS);
    await publish("origin,delay\nJFK,1\n");
    while (await lookNext(looking));
    const listed = async () => (await call(listWatches, { workspace_id: workspaceId }, session)).body.watches[0];
    expect(JSON.stringify(await listed())).toContain("Gotham");
    const { workspaceId: owner } = await newWorkspace();
    await setVisibility(other, owner);
    expect((await listed()).view.last_result).toBeNull();
    expect(JSON.stringify(await told())).not.toContain("Gotham");
  });

  test("a title that the database cannot store holds nothing up", async () => {
    const { publish } = await watchedView("agg=sum:delay:total&title=A%00B", AIRPORTS);
    await publish("origin,delay\nJFK,1\n");
    expect((await told()).map(({ data }) => data.view.title)).toEqual(["A B"]);
  });

  test("earlier releases see nothing of its deliveries, and this one gives up what it cannot read", async () => {
    const { publish, watchId } = await watchedView("agg=sum:delay:total", AIRPORTS);
    await publish("origin,delay\nJFK,1\n");
    while (await lookNext(looking));
    const { prisma } = await database();
    // what they look for
    expect(await prisma.watchDelivery.count({ where: { watchId, nextAt: { not: null } } })).toBe(0);
    const at = new Date();
    const later = { event: { kind: "of a later release", at }, state: "waiting" as const, nextAt: at, at };
    const unread = await prisma.watchDelivery.create({ data: { watchId, ...later } });
    expect((await told()).length + (await told()).length).toBe(1);
    expect(await prisma.watchDelivery.findUnique({ where: { id: unread.id } })).toMatchObject({ state: "given_up" });
  });
});

describe("a threshold", () => {
  test("needs rows that can be told apart", async () => {
    const { watch } = await watchedView("", AIRPORTS);
    const { made } = await watch({ column: "delay", is: "above", value: "14" });
    expect([made.status, made.body.message]).toEqual([400, expect.stringContaining("can be told apart")]);
  });

  const ABOVE = { column: "mean", is: "above", value: "14" };

  test("tells when rows cross it, when none is beyond it any more, and nothing else", async () => {
    const { publish } = await watchedView(BY_ORIGIN, "origin,delay\nJFK,10\nLAX,5\n", { threshold: ABOVE });
    const toldAfter = async (csv: string) => {
      await publish(`origin,delay\n${csv}`);
      return (await told()).map(({ data }) => [
        data.threshold.is_met,
        data.change.rows.map(({ before, after: now }: Record<string, { origin: string; mean: number } | null>) => [
          now?.origin ?? before?.origin,
          before?.mean ?? null,
          now?.mean ?? null,
        ]),
      ]);
    };
    expect(await toldAfter("JFK,14\nLAX,5\n")).toEqual([]); // equal is not above
    expect(await toldAfter("JFK,15\nLAX,5\n")).toEqual([[true, [["JFK", 14, 15]]]]);
    expect(await toldAfter("JFK,99\nLAX,5\n")).toEqual([]);
    expect(await toldAfter("JFK,99\nLAX,20\nSFO,21\n")).toEqual([
      [
        true,
        [
          ["LAX", 5, 20],
          ["SFO", null, 21],
        ],
      ],
    ]);
    expect(await toldAfter("JFK,1\nLAX,20\n")).toEqual([]); // one still is
    expect(await toldAfter("JFK,1\nLAX,2\n")).toEqual([[false, [["LAX", 20, 2]]]]);
    expect(await toldAfter("JFK,1\nLAX,3\n")).toEqual([]);
  });

  test("a result without its column any more is told as such", async () => {
    const threshold = { column: "delay", is: "above", value: "14" };
    const { publish } = await watchedView("", "origin,delay\nJFK,10\n", { threshold, primaryKey: ["origin"] });
    await publish("origin,late\nJFK,10\n");
    expect(await told()).toMatchObject([
      { type: "view_unavailable", data: { reason: expect.stringContaining("no numeric column delay any more") } },
    ]);
  });

  test("has to be of a numeric column of the result, and a number", async () => {
    const { watch } = await watchedView(BY_ORIGIN, AIRPORTS);
    const faults = async (threshold: object) => (await watch(threshold)).made.body.details;
    expect(await faults({ ...ABOVE, column: "origin" })).toMatchObject([
      { pointer: "/threshold/column", message: expect.stringContaining("Choose one of mean, flights.") },
    ]);
    expect(await faults({ ...ABOVE, value: "many" })).toMatchObject([{ pointer: "/threshold/value" }]);
  });
});

describe("what no longer gives a result", () => {
  test("a renamed column is told once, is on the page, and the last result is compared once it is back", async () => {
    const { publish, workspaceId, session, first } = await watchedView(BY_ORIGIN, AIRPORTS);
    await publish("airport,delay\nJFK,10\n");
    const [message, ...others] = await told();
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      type: "view_unavailable",
      data: { view: { title: "Delays" }, reason: expect.stringContaining("group=origin") },
    });
    const [listed] = (await call(listWatches, { workspace_id: workspaceId }, session)).body.watches;
    expect(listed.view).toMatchObject({ problem: message.data.reason, last_result: { version_id: first.version_id } });
    await publish("airport,delay\nJFK,11\n");
    expect(await told()).toEqual([]);
    await publish(AIRPORTS);
    expect(await told()).toEqual([]);
    await publish("origin,delay\nJFK,15\nLAX,6\n");
    expect(await told()).toMatchObject([{ type: "view_changed", data: { change: { changed: 2 } } }]);
  });

  test("a result that grew too large is told with what to do", async () => {
    const { publish } = await watchedView("", "n\n1\n");
    await publish(`n\n${Array.from({ length: 1001 }, (_, n) => n).join("\n")}\n`);
    expect(await told()).toMatchObject([{ data: { reason: expect.stringContaining("Filter or group its rows") } }]);
  });

  test("whoever lost access is told that, and nothing that the table says since, nor what still waits", async () => {
    const { publish, slug, session, workspaceId, watchId } = await watchedView("agg=sum:delay:total", AIRPORTS);
    await publish("origin,delay\nJFK,7771\n");
    while (await lookNext(looking));
    await setVisibility(slug, (await newWorkspace()).workspaceId);
    const messages = await told();
    expect(messages.map(({ type }) => type)).toEqual(["view_unavailable"]);
    expect(JSON.stringify(messages)).not.toContain(slug);
    const path = { workspace_id: workspaceId, watch_id: watchId };
    const { deliveries } = (await call(listDeliveries, path, session)).body;
    const [withheld] = deliveries.filter(({ event }: { event: string }) => event === "view_changed");
    expect(withheld).toMatchObject({ state: "given_up", answer: expect.stringContaining("can no longer be read") });
    await call(resendDelivery, { ...path, delivery_id: withheld.id }, session);
    expect(await told()).toEqual([]);
    await publish("origin,delay\nJFK,7772\n");
    expect(await told()).toEqual([]);
    const listed = await call(listWatches, { workspace_id: workspaceId }, session);
    expect(listed.body.watches).toMatchObject([{ dataset: null, table: null, view: { last_result: null } }]);
    expect(listed.text).not.toContain('"7771"');
    expect(listed.body.watches[0].failures).toBe(0);
    await setVisibility(slug, null);
    const [again] = await told();
    expect(again.data.change.rows).toEqual([{ before: { total: 7771 }, after: { total: 7772 } }]);
  });

  test("a person who left the workspace is told nothing more by its webhook than that", async () => {
    const { publish, userId, workspaceId } = await watchedView("agg=sum:delay:total", AIRPORTS);
    const { prisma } = await database();
    await prisma.membership.deleteMany({ where: { userId, workspaceId } });
    await publish("origin,delay\nJFK,7771\n");
    expect(await told()).toMatchObject([{ type: "view_unavailable" }]);
    await publish("origin,delay\nJFK,7772\n");
    expect(await told()).toEqual([]);
  });

  test("a version that cannot be evaluated for now is tried again, and given up in the end", async () => {
    const { publish, watchId } = await watchedView("agg=sum:delay:total", AIRPORTS);
    await publish("origin,delay\nJFK,1\n");
    const errors: unknown[] = [];
    let now = Date.now() - 7_200_000; // so that what is told is due
    const { prisma } = await database();
    const engine = () => Promise.reject(new Error("no engine"));
    const broken = { ...looking, now: () => new Date(now), onError: (error: unknown) => errors.push(error), engine };
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      expect(await lookNext(broken)).toBe(true);
      expect(await lookNext(broken)).toBe(false);
      now += 600_000;
    }
    expect(errors).toHaveLength(7);
    expect(await prisma.watchedResult.findUnique({ where: { watchId } })).toMatchObject({ attempts: 0 });
    expect(await told()).toMatchObject([{ data: { reason: "The view could not be evaluated: the service failed." } }]);
  });
});

describe("a watch of a view", () => {
  test("is of one's own view, in a workspace that reads its table, and small enough", async () => {
    const { workspaceId, session, view, slug, first } = await watchedView(BY_ORIGIN, AIRPORTS);
    const stranger = await newWorkspace();
    const cookie = await sessionCookie(stranger.userId);
    const webhook = { channel: "webhook", url: `${receiver.origin}/` };
    const create = (workspace: string, headers: Record<string, string>, body: object) =>
      call(createWatch, { workspace_id: workspace }, headers, { ...webhook, ...body });
    const notOwn = await create(stranger.workspaceId, { cookie }, { view });
    expect(notOwn.body.details).toMatchObject([{ pointer: "/view", message: expect.stringContaining("Unknown view") }]);
    const save = async (query: string) =>
      (await call(saveView, {}, session, { table_id: first.table_id, query })).body.view.id as string;
    const older = await create(workspaceId, session, { view: await save(`version=${first.version_id}`) });
    expect(older.body.message).toContain("names a version");
    const wrong = await create(workspaceId, session, { view: await save("filter=no:eq:1") });
    expect(wrong.body.details[0].message).toContain("filter=no:eq:1");
    for (const body of [
      { view, events: ["released"] },
      { view, dataset: slug },
      {},
      { events: ["released"], threshold: {} },
    ])
      expect((await create(workspaceId, session, body)).status).toBe(400);
    await setVisibility(slug, stranger.workspaceId);
    expect((await create(workspaceId, session, { view })).body.details[0].message).toContain("cannot read the table");
  });

  test("counts towards a maximum per person", async () => {
    const { watch } = await watchedView(BY_ORIGIN, AIRPORTS);
    expect([(await watch()).made.status, (await watch()).made.status]).toEqual([201, 201]);
    expect((await watch()).made.body).toMatchObject({
      error: "conflict",
      message: expect.stringContaining("maximum 3"),
    });
  });

  test("that is disabled is looked at once it is enabled, and one whose view is deleted is gone", async () => {
    const { publish, workspaceId, watchId, session, view } = await watchedView("agg=sum:delay:total", AIRPORTS);
    const path = { workspace_id: workspaceId, watch_id: watchId };
    await call(changeWatch, path, session, { enabled: false });
    await publish("origin,delay\nJFK,1\n");
    expect(await told()).toEqual([]);
    expect((await call(changeWatch, path, session, { events: ["released"] })).status).toBe(400);
    await call(changeWatch, path, session, { enabled: true });
    expect(await told()).toMatchObject([{ data: { change: { changed: 1 } } }]);
    await call(deleteSavedView, { view_id: view }, session);
    expect((await call(listWatches, { workspace_id: workspaceId }, session)).body.watches).toEqual([]);
  });

  test("emails what changed in words, with both links and no secret", async () => {
    const own = await watchedView("agg=avg:delay:mean&title=Mean%0Adelay", AIRPORTS);
    const { prisma } = await database();
    await prisma.watch.deleteMany();
    await prisma.user.update({ where: { id: own.userId }, data: { emailVerified: new Date() } });
    const { made } = await own.watch(undefined, { channel: "email" });
    expect(made.status).toBe(201);
    const second = await own.publish("origin,delay\nJFK,14\nJFK,16\n");
    while (await lookNext(looking));
    emails.length = 0;
    while (await deliverNext("email", delivering, looking.now));
    const [mail, ...others] = emails;
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: own.email, subject: "View changed: Mean delay" });
    expect(mail?.text).toContain("mean: 11.6667 → 15.0");
    for (const version of [own.first.version_id, second.version_id]) expect(mail?.text).toContain(`version=${version}`);
    expect(JSON.stringify(mail)).not.toMatch(/whsec_/);
  });

  test("workspaces take turns with one look each at a time, and a look that was lost is made again", async () => {
    const many = await watchedView(BY_ORIGIN, AIRPORTS);
    await many.watch();
    const few = await watchedView("agg=sum:delay:total", AIRPORTS);
    await many.publish("origin,delay\nJFK,1\n");
    await few.publish("origin,delay\nJFK,1\n");
    const now = new Date();
    const claims = [await claimView(now), await claimView(now), await claimView(now)];
    const served = claims.map((claimed) => claimed?.workspaceId);
    expect(new Set(served)).toEqual(new Set([many.workspaceId, few.workspaceId, undefined]));
    const lost = claims.find((claimed) => claimed?.workspaceId === few.workspaceId);
    if (!lost) throw new Error("nothing was claimed");
    const later = new Date(now.getTime() + 61_000);
    const after = [await claimView(later), await claimView(later)];
    const again = after.find((claimed) => claimed?.watchId === lost.watchId);
    const { prisma } = await database();
    expect(again?.attempts).toBe(2);
    await settleView(lost, { kind: "problem", problem: "Overtaken.", event: undefined }, later);
    expect(await prisma.watchedResult.count({ where: { problem: { not: null } } })).toBe(0);
  });
});

async function setVisibility(slug: string, workspaceId: string | null): Promise<void> {
  const { pool } = await database();
  const values = [workspaceId === null ? "public" : "private", workspaceId, slug];
  await pool.query(`UPDATE "Dataset" SET visibility = $1::"Visibility", "workspaceId" = $2 WHERE slug = $3`, values);
}
