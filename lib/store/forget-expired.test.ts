import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { useTestState } from "@/lib/testing/database";
import { newWorkspace } from "@/lib/testing/workspace";
import { forgetExpired } from "./forget-expired";
import { createSession } from "./people/sessions";
import { database } from "./postgres/database";

useTestState();

const HOUR_MS = 3_600_000;

test("what anybody signed in with goes a day after it expires, turns of hosts after an idle hour", async () => {
  const { prisma } = await database();
  const { userId, workspaceId } = await newWorkspace();
  const now = new Date();
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
  const client = { id: "c", kind: "registered" as const, name: "C", redirectUris: [], authMethod: "none" };
  await prisma.oAuthClient.create({ data: client });
  const consent = { clientId: "c", userId, workspaceId, scopes: [], resource: "r" };
  const { id: connectionId } = await prisma.agentConnection.create({ data: consent });
  for (const hours of [-1, 23, 25]) {
    const expiresAt = hoursAgo(hours);
    const hash = () => new Uint8Array(randomBytes(32));
    await createSession({ userId, expiresAt, browser: "Firefox", fromHash: null });
    await prisma.oneTimeToken.create({ data: { hash: hash(), purpose: "sign_in", email: "e@example.com", expiresAt } });
    const device = { clientId: "c", scopes: [], resource: "r", intervalSeconds: 5 };
    await prisma.deviceCode.create({ data: { hash: hash(), userHash: hash(), expiresAt, ...device } });
    await prisma.invitation.create({ data: { hash: hash(), workspaceId, role: "member", expiresAt } });
    const code = { connectionId, redirectUri: "https://c.example", codeChallenge: "x" };
    await prisma.oAuthCode.create({ data: { hash: hash(), expiresAt, ...code } });
    await prisma.oAuthToken.create({ data: { hash: hash(), kind: "refresh", connectionId, scopes: [], expiresAt } });
  }
  for (const hours of [0, 2]) await prisma.sourceHost.create({ data: { host: `h${hours}`, nextAt: hoursAgo(hours) } });
  for (const hours of [-1, 1]) {
    const request = { id: randomUUID(), host: `h${hours}`, workspaceId, requestedAt: hoursAgo(3) };
    await prisma.sourceRequest.create({ data: { ...request, leaseUntil: hoursAgo(hours) } });
  }
  for (const hours of [47, 49])
    await prisma.counter.create({ data: { subject: "a", window: "query-day", startAt: hoursAgo(hours), used: 1 } });

  await forgetExpired(now);
  const left = [
    await prisma.session.count(),
    await prisma.oneTimeToken.count(),
    await prisma.deviceCode.count(),
    await prisma.oAuthCode.count(),
    await prisma.oAuthToken.count(),
    await prisma.invitation.count(),
  ];
  expect(left).toEqual([2, 2, 2, 2, 2, 2]);
  expect((await prisma.sourceHost.findMany()).map(({ host }) => host)).toEqual(["h0"]);
  expect((await prisma.sourceRequest.findMany()).map(({ host }) => host)).toEqual(["h-1"]);
  expect((await prisma.counter.findMany()).map(({ startAt }) => startAt)).toEqual([hoursAgo(47)]);
});
