import { beforeAll, describe, expect, test } from "vitest";
import { ACCESS } from "@/lib/access/access-table";
import type { Actor } from "@/lib/access/actor";
import type { Context, Door } from "@/lib/access/context";
import { insideContext } from "@/lib/http/context";
import { Failure } from "@/lib/kernel/errors";
import type { AgentGrant } from "@/lib/oauth/access-token";
import { KEY_PERMISSIONS } from "@/lib/schemas/key-scope";
import { ADMINISTRATOR } from "@/lib/store/audit";
import type { StoredKey } from "@/lib/store/people/keys";
import { addMember } from "@/lib/store/people/members";
import type { LiveSession } from "@/lib/store/people/sessions";
import { database } from "@/lib/store/postgres/database";
import { CALLERS, type Caller, connectorRow, EXPECTED, pageRow } from "@/lib/testing/access-expectations";
import { useTestState } from "@/lib/testing/database";
import { newWorkspace } from "@/lib/testing/workspace";
import { execute } from "./execute";
import type { AnyOperation } from "./operation";
import { OPERATIONS } from "./registry";

useTestState();

const actors = {} as Record<Caller, Actor>;
let workspaceId = "";

beforeAll(async () => {
  const [owner, member, stranger] = [await newWorkspace(), await newWorkspace(), await newWorkspace()];
  workspaceId = owner.workspaceId;
  const { prisma } = await database();
  await prisma.workspace.update({ where: { id: workspaceId }, data: { plan: "paid" } });
  await addMember(workspaceId, member.userId, "member", ADMINISTRATOR);
  const person = (userId: string): Actor => ({ kind: "person", session: { userId } as LiveSession });
  const all = { datasetIds: [], permissions: KEY_PERMISSIONS };
  const key = (kind: StoredKey["kind"]): Actor => ({
    kind: "key",
    key: { id: "k", kind, workspaceId, ...all } as unknown as StoredKey,
  });
  const grant = {
    connectionId: "c",
    workspaceId,
    userId: owner.userId,
    scopes: ["datasets:read", "datasets:build"],
  } as unknown as AgentGrant;
  Object.assign(actors, {
    anonymous: { kind: "anonymous" },
    "use key": key("use"),
    "live key": key("live"),
    device: { kind: "device", grant },
    bearer: { kind: "agent", grant },
    stranger: person(stranger.userId),
    member: person(member.userId),
    owner: person(owner.userId),
  } satisfies Record<Caller, Actor>);
});

/** How a call is rejected, or `in`; the operation itself is replaced by a record of who it ran for. */
async function outcome(op: AnyOperation, actor: Actor, door: Door = "inside"): Promise<string> {
  let ran: Context | undefined;
  const note = (ctx: Context) => {
    ran = ctx;
  };
  const noting: AnyOperation = { ...op, locate: async () => undefined, run: async (_input, ctx) => note(ctx) };
  try {
    await execute(noting, { path: { workspace_id: workspaceId } }, { ...insideContext(), door, actor });
  } catch (rejection) {
    if (rejection instanceof Failure && !ran) return `${rejection.status} ${rejection.code}`;
    throw rejection;
  }
  return ran ? `in as ${ran.actor.kind}` : "nothing ran";
}

const asExpected = (seen: string) => (seen.startsWith("in as") ? "in" : seen);

describe.each(OPERATIONS)("$name", (op) => {
  test.each(CALLERS)("%s is accepted or rejected as over HTTP", async (caller) => {
    expect(asExpected(await outcome(op, actors[caller]))).toBe(EXPECTED[op.access]?.[caller]);
  });

  test("everybody is accepted or rejected through the connector by its rows", async () => {
    const seen = await Promise.all(
      CALLERS.map(async (caller) => [caller, asExpected(await outcome(op, actors[caller], "connector"))]),
    );
    expect(Object.fromEntries(seen)).toEqual(EXPECTED[connectorRow(op.access)]);
  });

  test("everybody is accepted or rejected from a member's page by its rows", async () => {
    const seen = await Promise.all(
      CALLERS.map(async (caller) => [caller, asExpected(await outcome(op, actors[caller], "page"))]),
    );
    expect(Object.fromEntries(seen)).toEqual(EXPECTED[pageRow(op.access)]);
  });

  test("the administrator has only commands; the service reads public data like a use key", async () => {
    expect(asExpected(await outcome(op, { kind: "operator" }))).toBe(
      op.access === "operator" ? "in" : EXPECTED[op.access]?.anonymous,
    );
    expect(asExpected(await outcome(op, { kind: "service" }))).toBe(EXPECTED[op.access]?.["use key"]);
  });
});

test("every row of the access table has expectations of its own", () => {
  expect(Object.keys(EXPECTED).sort()).toEqual(Object.keys(ACCESS).sort());
});

test.each([
  ["open", "inside", { "use key": "key", "live key": "anonymous", device: "anonymous", bearer: "anonymous" }],
  ["open", "connector", { "use key": "key", device: "device", bearer: "agent" }],
  ["open_query", "inside", { "use key": "anonymous", device: "anonymous", bearer: "anonymous" }],
] as const)("row %s, %s: a caller who may only read public data runs as anonymous", async (access, door, expected) => {
  const op = OPERATIONS.find((candidate) => candidate.access === access) as AnyOperation;
  for (const [caller, kind] of Object.entries(expected))
    expect([caller, await outcome(op, actors[caller as Caller], door)]).toEqual([caller, `in as ${kind}`]);
});

test("the connector allows queries only with a credential and the scope", async () => {
  const query = OPERATIONS.find(({ name }) => name === "query_table") as AnyOperation;
  const { bearer, device, anonymous, owner } = actors;
  expect(await outcome(query, bearer, "connector")).toBe("in as agent");
  expect(await outcome(query, device, "connector")).toBe("in as device");
  expect(await outcome(query, actors["live key"], "connector")).toBe("401 key_wrong_type");
  for (const actor of [anonymous, owner]) expect(await outcome(query, actor, "connector")).toBe("401 key_missing");
  const unscoped: Actor = {
    kind: "agent",
    grant: { ...("grant" in bearer ? bearer.grant : undefined), scopes: [] } as unknown as AgentGrant,
  };
  expect(await outcome(query, unscoped, "connector")).toBe("403 insufficient_scope");
});
