import { expect, test } from "vitest";
import { listAudit } from "@/lib/store/audit";
import { addMember } from "@/lib/store/people/members";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { rotateSecrets } from "@/lib/vault/rotate";
import { openWebhookKey } from "@/lib/vault/webhook-secrets";
import {
  changeWatch,
  createWatch,
  deleteWatch,
  listDeliveries,
  listWatches,
  replaceWatchSecret,
  resendDelivery,
  testWatch,
} from "./watches";

useTestState({ SMTP_URL: "smtp://127.0.0.1:1" });

const URL_WITH_TOKEN = "https://hooks.example.org/in/t0ken-of-the-receiver";
const WEBHOOK = { channel: "webhook", url: URL_WITH_TOKEN, events: ["released", "run_failed"] };

async function person() {
  const { workspaceId, userId, email } = await newWorkspace();
  return { workspace: { workspace_id: workspaceId }, userId, email, headers: { cookie: await sessionCookie(userId) } };
}

const rowOf = async (id: string) => (await database()).prisma.watch.findUniqueOrThrow({ where: { id } });

test("a webhook's secret is shown once, survives a rotation of keys, and is in no list or log", async () => {
  const { workspace, headers } = await person();
  const made = await call(createWatch, workspace, headers, WEBHOOK);
  expect(made.status).toBe(201);
  const { secret, watch } = made.body;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const before = await rowOf(watch.id);
  expect(openWebhookKey(before as never)).toEqual(key);
  await rotateSecrets(new Date());
  const after = await rowOf(watch.id);
  expect(after.sealedWith).not.toBe(before.sealedWith);
  expect(openWebhookKey(after as never)).toEqual(key);
  expect(() =>
    openWebhookKey({ ...(after as never as object), target: "https://other.example.org/" } as never),
  ).toThrow();

  const listed = await call(listWatches, workspace, headers);
  expect(listed.body.watches).toMatchObject([
    { id: watch.id, url: URL_WITH_TOKEN, events: WEBHOOK.events, mine: true },
  ]);
  const log = JSON.stringify(await listAudit({ workspaceId: workspace.workspace_id, limit: 50 }));
  expect(log).toContain("hooks.example.org");
  for (const text of [listed.text, log]) expect(text).not.toContain(secret.slice(6));
  expect(log).not.toContain("t0ken-of-the-receiver");

  const replaced = await call(replaceWatchSecret, { ...workspace, watch_id: watch.id }, headers);
  expect(replaced.body.secret).not.toBe(secret);
});

test("webhooks go only to public https URLs", async () => {
  const { workspace, headers } = await person();
  const addresses = [
    "http://hooks.example.org/",
    "https://127.0.0.1/",
    "https://me:pw@hooks.example.org/",
    "https://[::1]/",
  ];
  for (const url of [...addresses, "https://hooks.example.org:22/", "https://10.0.0.1/x", "ftp://hooks.example.org/"]) {
    const answer = await call(createWatch, workspace, headers, { ...WEBHOOK, url });
    expect([url, answer.status, answer.body.details[0].pointer]).toEqual([url, 400, "/url"]);
  }
});

test("email goes to one's own confirmed address, without news that members are emailed in any case", async () => {
  const { workspace, headers, userId, email } = await person();
  const mail = { channel: "email", events: ["released"] };
  expect((await call(createWatch, workspace, headers, mail)).status).toBe(409);
  const { prisma } = await database();
  await prisma.user.update({ where: { id: userId }, data: { emailVerified: new Date() } });
  const made = await call(createWatch, workspace, headers, mail);
  expect(made.body).toMatchObject({ secret: null, watch: { channel: "email", email, url: null } });
  const twice = await call(createWatch, workspace, headers, { ...mail, events: ["approval_asked"] });
  expect(twice.body.details[0]).toMatchObject({ pointer: "/events" });
  const path = { ...workspace, watch_id: made.body.watch.id };
  expect((await call(changeWatch, path, headers, { events: ["approval_asked"] })).status).toBe(400);
  expect((await call(replaceWatchSecret, path, headers)).status).toBe(409);
});

test("only an owner can change another's email watch, and another workspace's watch is not found", async () => {
  const owner = await person();
  const member = await person();
  const stranger = await person();
  await addMember(owner.workspace.workspace_id, member.userId, "member", { actor: "operator" });
  const { prisma } = await database();
  await prisma.user.updateMany({ data: { emailVerified: new Date() } });
  const mail = { channel: "email", events: ["released"] };
  const made = await call(createWatch, owner.workspace, owner.headers, mail);
  const path = { ...owner.workspace, watch_id: made.body.watch.id };
  expect((await call(deleteWatch, path, member.headers)).status).toBe(403);
  const elsewhere = { ...stranger.workspace, watch_id: made.body.watch.id };
  for (const operation of [listDeliveries, testWatch, deleteWatch])
    expect((await call(operation, elsewhere, stranger.headers)).status).toBe(404);
  const own = await call(createWatch, owner.workspace, member.headers, mail);
  expect((await call(deleteWatch, { ...path, watch_id: own.body.watch.id }, owner.headers)).status).toBe(200);
});

test("a private dataset of another workspace cannot be watched", async () => {
  const [own, other] = [await person(), await person()];
  const { prisma } = await database();
  const texts = { slug: "closed-levels", title: "Closed", summary: "", description: "", sources: [] };
  await prisma.dataset.create({ data: { ...texts, visibility: "private", workspaceId: own.workspace.workspace_id } });
  const body = { ...WEBHOOK, dataset: "closed-levels" };
  expect((await call(createWatch, own.workspace, own.headers, body)).status).toBe(201);
  const closed = await call(createWatch, other.workspace, other.headers, body);
  const absent = await call(createWatch, other.workspace, other.headers, { ...body, dataset: "absent-levels" });
  expect(closed.status).toBe(400);
  expect(closed.body.details).toEqual(JSON.parse(JSON.stringify(absent.body.details).replace("absent", "closed")));
});

test("a disabled watch discards what is waiting, and sends again only once it is enabled", async () => {
  const { workspace, headers } = await person();
  const made = await call(createWatch, workspace, headers, WEBHOOK);
  const path = { ...workspace, watch_id: made.body.watch.id };
  expect((await call(testWatch, path, headers)).status).toBe(202);
  const [waiting] = (await call(listDeliveries, path, headers)).body.deliveries;
  expect(waiting).toMatchObject({ event: "test", state: "waiting", attempts: 0 });
  await call(changeWatch, path, headers, { enabled: false });
  const [given] = (await call(listDeliveries, path, headers)).body.deliveries;
  expect(given).toMatchObject({ id: waiting.id, state: "given_up", answer: "The watch was disabled." });
  expect((await call(testWatch, path, headers)).status).toBe(409);
  const again = { ...path, delivery_id: waiting.id };
  expect((await call(resendDelivery, again, headers)).status).toBe(409);
  await call(changeWatch, path, headers, { enabled: true });
  expect((await call(resendDelivery, again, headers)).status).toBe(202);
  expect((await call(listDeliveries, path, headers)).body.deliveries).toMatchObject([
    { id: waiting.id, state: "waiting" },
  ]);
});
