import { NextRequest } from "next/server";
import { expect, test } from "vitest";
import { sessionCookieName } from "@/lib/auth/session";
import { readSettings } from "@/lib/kernel/env";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { createPerson } from "@/lib/store/people/people";
import { closeDatabase } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { sessionCookie } from "@/lib/testing/signed-in";
import { authRoute } from "./auth-route";

const state = useTestState();
const ORIGIN = "http://localhost:3000";

test("if the database is down the reply is 503, and no cookie is deleted", async () => {
  const person = await createPerson({ email: "outage@example.com" }, ADMINISTRATOR);
  const cookie = await sessionCookie(person?.id ?? "");
  const ask = () => {
    const request = new NextRequest(`${ORIGIN}/api/auth/session`, { headers: { cookie, origin: ORIGIN } });
    return authRoute(request, "session");
  };
  expect((await (await ask()).json()).user).toBeDefined();
  await closeDatabase();
  const elsewhere = {
    DATABASE_URL: "postgres://nobody@127.0.0.1:9/nothing",
    PARQUETRY_DATA_DIR: state.dataDir(),
    PARQUETRY_LOG_LEVEL: "silent",
  };
  forgetProcessWide("settings");
  processWide("settings", () =>
    readSettings({ ...elsewhere, PARQUETRY_SECRET: "test-secret-test-secret-test-secret!" }),
  );
  const reply = await ask();
  expect([reply.status, (await reply.json()).error]).toEqual([503, "unavailable"]);
  expect(reply.headers.getSetCookie().filter((line) => line.startsWith(sessionCookieName()))).toEqual([]);
});
