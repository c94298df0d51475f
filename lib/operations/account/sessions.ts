import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { personOf } from "@/lib/access/authorize";
import { fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { operation } from "@/lib/operations/operation";
import { done, doneSchema, type Sessions, sessionsSchema } from "@/lib/schemas/account";
import { listSessions as findSessions, revokeAllSessions, revokeSession } from "@/lib/store/people/sessions";

/** GET the browsers that are signed in. */
export const listSessions = operation({
  name: "list_sessions",
  summary: "List your sessions",
  description: "Signed-in browsers, newest first.",
  access: "account",
  quota: "account",
  http: { method: "GET", path: "/api/account/sessions" },
  input: {},
  output: sessionsSchema,
  async run(_input, ctx): Promise<Sessions> {
    const { userId, id } = personOf(ctx);
    const sessions = await findSessions(userId, ctx.now());
    return {
      schema_version: "service-sessions.v1",
      sessions: sessions.map((session) => ({
        id: session.id,
        browser: session.browser,
        current: session.id === id,
        created_at: session.createdAt.toISOString(),
        last_seen_at: session.lastSeenAt.toISOString(),
        expires_at: session.expiresAt.toISOString(),
      })),
    };
  },
});

const pathSchema = z.strictObject({ session_id: z.string().describe("The session's UUID.") });

/** DELETE one session. */
export const endSession = operation({
  name: "end_session",
  summary: "End a session",
  description: "Signs one browser out. Takes effect on its next request.",
  access: "account",
  quota: "account",
  http: { method: "DELETE", path: "/api/account/sessions/{session_id}" },
  input: { path: pathSchema },
  output: doneSchema,
  async run({ path }, ctx) {
    if (!isUuid(path.session_id) || !(await revokeSession(personOf(ctx).userId, path.session_id, authorOf(ctx))))
      throw fail("not_found");
    return done("ended");
  },
});

/** DELETE all sessions. */
export const signOutEverywhere = operation({
  name: "sign_out_everywhere",
  summary: "Sign out everywhere",
  description:
    "Ends every session of the person, including this one. Takes effect on the next request. Keys keep working.",
  access: "account",
  quota: "account",
  http: { method: "DELETE", path: "/api/account/sessions" },
  input: {},
  output: doneSchema,
  async run(_input, ctx) {
    await revokeAllSessions(personOf(ctx).userId, authorOf(ctx));
    return done("signed_out");
  },
});
