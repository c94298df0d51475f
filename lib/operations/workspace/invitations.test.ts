import { expect, test } from "vitest";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { removeMember } from "@/lib/store/people/members";
import { ensurePerson } from "@/lib/store/people/people";
import { createWorkspace } from "@/lib/store/people/workspaces";
import { useTestState } from "@/lib/testing/database";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { listWorkspaceEvents } from "./audit-log";
import { acceptInvitation, inviteMember } from "./invitations";

useTestState();

async function person() {
  const email = `${crypto.randomUUID()}@example.com`;
  const { userId, workspaceId } = await ensurePerson(email, ADMINISTRATOR);
  return { userId, email, personal: workspaceId, headers: { cookie: await sessionCookie(userId) } };
}

const tokenOf = (url: string): string => new URL(url).hash.slice("#token=".length);

test("nobody can be invited to a personal workspace", async () => {
  const { personal, headers } = await person();
  const rejected = await call(inviteMember, { workspace_id: personal }, headers, {});
  expect([rejected.status, rejected.body.error]).toEqual([409, "conflict"]);
});

test("a member who follows an invitation does not use it up", async () => {
  const [owner, guest] = [await person(), await person()];
  const workspaceId = await createWorkspace("Lab", owner.userId, ADMINISTRATOR);
  const { body } = await call(inviteMember, { workspace_id: workspaceId }, owner.headers, { role: "owner" });
  const token = tokenOf(body.url);
  expect((await call(acceptInvitation, {}, owner.headers, { token })).body).toMatchObject({
    workspace_id: workspaceId,
  });
  expect((await call(acceptInvitation, {}, guest.headers, { token })).body).toMatchObject({
    workspace_id: workspaceId,
  });
  expect((await call(acceptInvitation, {}, (await person()).headers, { token })).status).toBe(404);
});

test("the log names the person concerned, even after they have left", async () => {
  const [owner, guest] = [await person(), await person()];
  const workspaceId = await createWorkspace("Lab", owner.userId, ADMINISTRATOR);
  const { body } = await call(inviteMember, { workspace_id: workspaceId }, owner.headers, {});
  await call(acceptInvitation, {}, guest.headers, { token: tokenOf(body.url) });
  await removeMember(workspaceId, guest.userId, ADMINISTRATOR);
  const { events } = (await call(listWorkspaceEvents, { workspace_id: workspaceId }, owner.headers)).body;
  expect(events).toMatchObject([
    { action: "member.removed", actor: "operator", subject: guest.userId, subject_email: guest.email },
    { action: "member.joined", actor_email: guest.email, subject_email: guest.email },
    { action: "member.invited", subject: body.invitation.id, subject_email: null },
    { action: "workspace.created", subject: workspaceId, subject_email: null },
  ]);
});
