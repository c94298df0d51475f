import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { Context } from "@/lib/access/context";
import { insideContext } from "@/lib/http/context";
import { Failure } from "@/lib/kernel/errors";
import { activateBuilt, deactivateBuilt } from "@/lib/operations/administrator/activation";
import { changeVisibility } from "@/lib/operations/administrator/dataset-visibility";
import { withdrawVersion } from "@/lib/operations/administrator/withdraw-version";
import { decideRun } from "@/lib/operations/approvals/approve-run";
import { execute } from "@/lib/operations/execute";
import { promoteTable } from "@/lib/operations/releases/promote-table";
import { withdrawOwnVersion } from "@/lib/operations/releases/withdraw-own-version";
import type { LiveSession } from "@/lib/store/people/sessions";
import { database } from "@/lib/store/postgres/database";
import { promoteTables } from "@/lib/store/releases/promotion";
import { useTestState } from "@/lib/testing/database";
import { propertyParameters, trialRuns } from "@/lib/testing/property";
import { recordedDataset } from "@/lib/testing/recorded-dataset";
import { numbersFrom } from "@/lib/testing/seeded-numbers";
import { newWorkspace } from "@/lib/testing/workspace";
import { activateDataset, deactivateDataset } from "./activate-dataset";
import { updateDataset } from "./own-datasets";

useTestState();

const EVENTS = trialRuns("STATE_EVENTS", 600);
/** A dataset's life: after these, another one begins. */
const EVENTS_EACH = 40;
const HOUR_MS = 3_600_000;

type Who = "agent" | "member" | "owner" | "late owner" | "operator" | "service" | "stranger";
const CALLERS: readonly Who[] = ["agent", "member", "owner", "late owner", "operator", "service", "stranger"];

/** What outsiders can see, as the database has it. */
interface Seen {
  visibility: "public" | "private" | "withdrawn";
  current: string | null;
  isActive: boolean;
}

/** The test's own memory of what people have decided, independent of the service's tables. */
interface Memory {
  /** Versions whose recipe a person approved, or that an owner or the administrator chose to show. */
  approved: Set<string>;
  /** Whether the current version was gone back to, and nobody promoted one since. */
  isRolledBack: boolean;
  /** Whether each version went back to an earlier one when it was last promoted. */
  wentBack: Map<string, boolean>;
  versions: { id: string; runId: string; recipeDigest: string; isPersonal: boolean }[];
  isPaid: boolean;
}

async function newLife() {
  const { prisma } = await database();
  const name = randomUUID();
  const dataset = await recordedDataset({ publish: { publisher: { name } } });
  const { datasetId, workspaceId, revisionId, slug } = dataset;
  const publisher = { create: { name, slug: name } };
  await prisma.dataset.update({ where: { id: datasetId }, data: { license: "CC0-1.0", publisher } });
  const owner = await prisma.membership.findFirstOrThrow({ where: { workspaceId } });
  const member = await prisma.user.create({ data: { email: `${randomUUID()}@example.com` } });
  await prisma.membership.create({ data: { userId: member.id, workspaceId, role: "member" } });
  const { id: tableId } = await prisma.table.create({
    data: { datasetId, slug: "rows", name: "rows", description: "" },
  });
  const stranger = await newWorkspace();
  await prisma.workspace.update({ where: { id: stranger.workspaceId }, data: { plan: "paid" } });
  const revision = await prisma.recipeRevision.findUniqueOrThrow({ where: { id: revisionId } });
  const ids = { owner: owner.userId, member: member.id, stranger: stranger.userId };
  return { prisma, datasetId, workspaceId, slug, tableId, publisher: name, revision, ids };
}

type Life = Awaited<ReturnType<typeof newLife>>;

/** A run seals a version, of a recipe that a person approved or that only an agent did. */
async function seal({ prisma, datasetId, workspaceId, tableId, revision }: Life, isPersonal: boolean, number: number) {
  const at = new Date();
  const document = JSON.parse(revision.document);
  const changed = JSON.stringify({ ...document, publish: { ...document.publish, topics: [`t${number}`] } });
  const recipeDigest = `sha256:${randomUUID()}`;
  const { id: revisionId } = await prisma.recipeRevision.create({
    data: {
      ...{ datasetId, number: number + 1, document: changed, documentDigest: randomUUID(), recipeDigest, lock: "{}" },
      ...{ origin: "registered", state: "approved", actor: {}, createdAt: at, approvedAt: at },
    },
  });
  const run = {
    ...{ datasetId, workspaceId, revisionId, recipeDigest, kind: "build" as const, trigger: "agent" as const },
    ...{ state: "sealed" as const, outcome: "released" as const, finishedAt: at, createdAt: at },
    ...{ plan: {}, progress: {}, createdBy: {} },
  };
  const { id: runId } = await prisma.run.create({ data: run });
  const approval = { runId, kind: "run" as const, recipeDigest, askedAt: at, askedBy: {}, expiresAt: at };
  const decided = { state: "approved" as const, decidedAt: at, afterSeal: { promote: "none", activate: false } };
  await prisma.approval.create({ data: { ...approval, ...decided, sessionId: isPersonal ? randomUUID() : null } });
  const content = { digest: randomUUID().replaceAll("-", "").repeat(2), bytes: 1, rows: 1 };
  const shape = { columns: [], profiles: {}, orderBy: [], change: "first" as const, publishedAt: null };
  const { id } = await prisma.version.create({ data: { tableId, sequence: number, ...content, ...shape } });
  const release = { tableId, versionId: id, runId, revisionId, sealedAt: at, checks: [], lineage: "{}" };
  await prisma.release.create({ data: release });
  return { id, runId, recipeDigest, isPersonal };
}

async function seen({ prisma, datasetId, tableId }: Life): Promise<Seen> {
  const { visibility } = await prisma.dataset.findUniqueOrThrow({ where: { id: datasetId } });
  const { currentVersionId: current } = await prisma.table.findUniqueOrThrow({ where: { id: tableId } });
  const active = await prisma.activation.count({ where: { datasetId, deactivatedAt: null } });
  return { visibility, current, isActive: active > 0 };
}

function contextOf(who: Who, { ids, workspaceId }: Life): Context {
  if (who === "operator" || who === "service") return { ...insideContext(), actor: { kind: who } };
  if (who === "agent") {
    const scopes = ["datasets:read", "datasets:build"];
    const grant = { connectionId: randomUUID(), clientId: randomUUID(), userId: ids.member, workspaceId, scopes };
    return { ...insideContext(), door: "connector", actor: { kind: "agent", grant: grant as never } };
  }
  const userId = who === "member" ? ids.member : who === "stranger" ? ids.stranger : ids.owner;
  const createdAt = new Date(Date.now() - (who === "late owner" ? 13 : 1) * HOUR_MS);
  const session = { id: randomUUID(), userId, email: "x@example.com", createdAt } as LiveSession;
  return { ...insideContext(), door: "http", actor: { kind: "person", session } };
}

type Act = (life: Life, memory: Memory, who: Who, pick: () => number) => Promise<unknown>;

const pathOf = ({ workspaceId, slug }: Life) => ({ workspace_id: workspaceId, dataset: slug });
const one = <T>(all: readonly T[], pick: () => number): T | undefined => all[Math.floor(pick() * all.length)];

const ACTS: Readonly<Record<string, Act>> = {
  async promote(life, { versions }, who, pick) {
    const version = one(versions, pick);
    if (!version) return;
    if (who === "service") {
      const isPersonal = pick() < 0.5;
      await promoteTables(
        {
          dataset: { id: life.datasetId, slug: life.slug, workspaceId: life.workspaceId },
          tables: [
            { tableId: life.tableId, slug: "rows", versionId: version.id, name: "rows", description: "", ...TEXTS },
          ],
          texts: { license: "CC0-1.0", publisher: { name: life.publisher }, topics: [], sources: [] },
          ...{ publishes: isPersonal && pick() < 0.3, activate: false, keepsRolledBack: true, by: {}, now: new Date() },
          cause: { caller: "service", isRecipeApproved: version.isPersonal, isOwnerApproved: false },
        },
        { actor: "service" },
      );
      return;
    }
    const body = {
      ...(pick() < 0.7 ? { version_id: version.id } : {}),
      ...(pick() < 0.3 ? { visibility: pick() < 0.7 ? ("public" as const) : ("private" as const) } : {}),
      activate: pick() < 0.2,
      roll_back: pick() < 0.5,
    };
    await execute(promoteTable, { path: pathOf(life), body }, contextOf(who, life));
  },
  async decide(life, _memory, who, pick) {
    const asked = await life.prisma.approval.findFirst({
      where: { run: { datasetId: life.datasetId }, state: "asked" },
    });
    if (!asked) return;
    const body = {
      ...{ decision: pick() < 0.7 ? ("approve" as const) : ("decline" as const), recipe_digest: asked.recipeDigest },
      ...{ accept_failed_checks: false, reason: "" },
    };
    const path = { workspace_id: life.workspaceId, run_id: asked.runId };
    await execute(decideRun, { path, body }, contextOf(who, life));
  },
  async visibility(life, _memory, who, pick) {
    const visibility = one(["public", "public", "private", "private", "withdrawn"] as const, pick) ?? "private";
    if (who === "operator")
      await execute(changeVisibility, { body: { slug: life.slug, visibility } }, contextOf(who, life));
    else await execute(updateDataset, { path: pathOf(life), body: { visibility } }, contextOf(who, life));
  },
  async activate(life, _memory, who) {
    if (who === "operator") await execute(activateBuilt, { body: { slug: life.slug } }, contextOf(who, life));
    else await execute(activateDataset, { path: pathOf(life), body: {} }, contextOf(who, life));
  },
  async deactivate(life, _memory, who) {
    if (who === "operator") await execute(deactivateBuilt, { body: { slug: life.slug } }, contextOf(who, life));
    else await execute(deactivateDataset, { path: pathOf(life), body: {} }, contextOf(who, life));
  },
  async "withdraw a version"(life, { versions }, who, pick) {
    const version = one(versions, pick);
    if (!version) return;
    const reason = "wrong";
    if (who === "operator")
      await execute(withdrawVersion, { body: { version_id: version.id, reason } }, contextOf(who, life));
    else
      await execute(
        withdrawOwnVersion,
        { path: { ...pathOf(life), version_id: version.id }, body: { reason } },
        contextOf(who, life),
      );
  },
};
const TEXTS = { license: null, position: 0 };
/** How often each is tried. */
const NAMES = [...Object.keys(ACTS), "promote", "promote", "promote", "promote", "visibility", "decide"];
/** What changed something, so that the test cannot pass by refusals alone. */
const CHANGES: readonly string[] = [
  "activate by operator",
  "activate by owner",
  "deactivate by operator",
  "deactivate by owner",
  "decide by owner",
  "promote by agent",
  "promote by late owner",
  "promote by member",
  "promote by owner",
  "promote by service",
  "visibility by agent",
  "visibility by late owner",
  "visibility by member",
  "visibility by operator",
  "visibility by owner",
  "withdraw a version by operator",
  "withdraw a version by owner",
];
const MAY_SHOW: readonly Who[] = ["owner", "operator"];

const isShown = ({ visibility, isActive }: Seen): boolean =>
  visibility === "public" || (visibility === "private" && isActive);

interface Change {
  act: string;
  who: Who;
  before: Seen;
  after: Seen;
  memory: Memory;
}

const mayShow = ({ who }: Change): boolean => MAY_SHOW.includes(who);
const isOther = ({ before, after }: Change): boolean => before.current !== after.current;

/** What must hold of every change, whatever the service's own table of transitions says. */
const LAWS: Readonly<Record<string, (change: Change) => boolean>> = {
  "strangers change nothing": ({ who, before, after }) => who !== "stranger" || isDeepStrictEqual(before, after),
  "without a paid plan only the administrator and what was approved change anything": ({ memory, ...change }) =>
    memory.isPaid || ["operator", "service"].includes(change.who) || isDeepStrictEqual(change.before, change.after),
  "public turns private by a withdrawal alone": ({ before, after }) =>
    before.visibility !== "public" || after.visibility !== "private",
  "an owner or the administrator makes it public": (change) =>
    change.before.visibility === "public" || change.after.visibility !== "public" || mayShow(change),
  "an owner or the administrator shows what was not shown": (change) =>
    isShown(change.before) || !isShown(change.after) || mayShow(change),
  "an owner or the administrator activates and deactivates": (change) =>
    change.before.isActive === change.after.isActive || mayShow(change),
  "only a promotion or the withdrawal of a version changes what is current": (change) =>
    !isOther(change) || ["promote", "decide", "withdraw a version"].includes(change.act),
  "an owner or the administrator withdraws a version": (change) =>
    !isOther(change) || change.act !== "withdraw a version" || mayShow(change),
  "nothing of a withdrawn dataset becomes current": (change) =>
    !isOther(change) || change.before.visibility !== "withdrawn" || change.act === "withdraw a version",
  "a refresh leaves a roll-back alone": (change) =>
    !isOther(change) || change.who !== "service" || !change.memory.isRolledBack,
  "a person approved what becomes current where others see it": (change) =>
    !isOther(change) ||
    !isShown(change.after) ||
    change.after.current === null ||
    change.memory.approved.has(change.after.current),
};

function requireLegal(change: Change): void {
  const { act, who, before, after } = change;
  for (const [law, holds] of Object.entries(LAWS))
    expect(holds(change), `${law}: ${act} by ${who}, from ${JSON.stringify(before)} to ${JSON.stringify(after)}`).toBe(
      true,
    );
}

/** The state that the audit log tells: each entry applied in turn. */
async function toldByLog({ prisma, slug, workspaceId, tableId }: Life): Promise<Seen> {
  const entries = await prisma.auditEvent.findMany({ where: { workspaceId }, orderBy: [{ at: "asc" }, { id: "asc" }] });
  const own = new Set((await prisma.version.findMany({ where: { tableId } })).map(({ id }) => id));
  const told: Seen = { visibility: "private", current: null, isActive: false };
  for (const { action, subject, details } of entries) {
    const about = details as Record<string, string>;
    if (action === "dataset.visibility_changed" && subject === slug) told.visibility = about.to as Seen["visibility"];
    if (action === "table.promoted" || action === "table.rolled_back") told.current = subject;
    if (action === "version.withdrawn" && own.has(subject ?? "")) told.current = about.current_version_id ?? null;
    if (action === "table.activated" || action === "table.deactivated") told.isActive = action === "table.activated";
  }
  return told;
}

async function step(life: Life, memory: Memory, changed: Set<string>, pick: () => number): Promise<void> {
  if (pick() < 0.2) {
    const isPersonal = pick() < 0.5;
    const version = await seal(life, isPersonal, memory.versions.length + 1);
    memory.versions.push(version);
    if (isPersonal) memory.approved.add(version.id);
    return;
  }
  if (pick() < (memory.isPaid ? 0.02 : 0.3)) {
    memory.isPaid = !memory.isPaid;
    const plan = memory.isPaid ? "paid" : "free";
    await life.prisma.workspace.update({ where: { id: life.workspaceId }, data: { plan } });
    return;
  }
  const [act, who] = [one(NAMES, pick) ?? "promote", one(CALLERS, pick) ?? "agent"];
  const before = await seen(life);
  const done = await ACTS[act]?.(life, memory, who, pick).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.status >= 500) throw error;
    return "refused" as const;
  });
  const after = await seen(life);
  if (done === "refused") {
    expect(after, `${act} by ${who} was refused`).toEqual(before);
    return;
  }
  if (MAY_SHOW.includes(who) && isShown(after) && after.current !== null) memory.approved.add(after.current);
  requireLegal({ act, who, before, after, memory });
  if (!isDeepStrictEqual(before, after)) changed.add(`${act} by ${who}`);
  await rememberWay(life, { act, who, before, after, memory });
}

/** Whether what is current now was gone back to. */
async function rememberWay(life: Life, { act, before, after: { current }, memory }: Change): Promise<void> {
  if (before.current === current || current === null) return;
  // a withdrawal returns to a version as it was promoted last
  if (act !== "withdraw a version") memory.wentBack.set(current, await wentBack(life, current));
  memory.isRolledBack = memory.wentBack.get(current) === true;
}

/** Whether the version that was just promoted had been current before, and a later one that is not withdrawn, too. */
async function wentBack({ prisma, tableId }: Life, current: string): Promise<boolean> {
  const all = await prisma.promotion.findMany({ where: { tableId }, orderBy: [{ at: "asc" }, { id: "asc" }] });
  const earlier = new Set(all.slice(0, -1).map(({ versionId }) => versionId));
  const versions = await prisma.version.findMany({ where: { tableId }, orderBy: { sequence: "asc" } });
  const later = versions.slice(versions.findIndex(({ id }) => id === current) + 1);
  return earlier.has(current) && later.some(({ id, withdrawnAt }) => withdrawnAt === null && earlier.has(id));
}

test("nothing is shown or current that no allowed caller made so, and the audit log tells the same story", async () => {
  const { seed } = propertyParameters(1);
  const pick = numbersFrom(seed);
  const changed = new Set<string>();
  for (let done = 0; done < EVENTS; done += EVENTS_EACH) {
    const life = await newLife();
    const memory: Memory = {
      approved: new Set(),
      isRolledBack: false,
      wentBack: new Map(),
      versions: [],
      isPaid: true,
    };
    for (let event = 0; event < EVENTS_EACH; event++) await step(life, memory, changed, pick);
    expect(await toldByLog(life), `seed ${seed}, dataset after ${done} events`).toEqual(await seen(life));
  }
  expect([...changed].sort()).toEqual(CHANGES);
}, 3_600_000);
