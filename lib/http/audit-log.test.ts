import { expect, test } from "vitest";
import { listAccountEvents } from "@/lib/operations/workspace/audit-log";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { renamePerson } from "@/lib/store/people/people";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";
import { sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";

useTestState();

const NOBODY = "00000000-0000-4000-8000-000000000000";

test("the log continues where a page ended, and accepts no other cursor", async () => {
  const { userId } = await newWorkspace();
  for (const name of ["one", "two"]) await renamePerson(userId, name, ADMINISTRATOR);
  const cookie = await sessionCookie(userId);
  const page = async (cursor?: string) => {
    const query = new URLSearchParams({ limit: "1", ...(cursor !== undefined && { cursor }) });
    const reply = await serve({ GET: listAccountEvents }).GET(
      new Request(`http://localhost/?${query}`, { headers: { cookie } }),
      {
        params: Promise.resolve({}),
      },
    );
    return { status: reply.status, body: await reply.json() };
  };
  const first = (await page()).body;
  const second = (await page(first.next_cursor)).body;
  const third = (await page(second.next_cursor)).body;
  expect([first, second, third].map(({ events }) => events[0].action)).toEqual([
    "session.started",
    "account.renamed",
    "account.renamed",
  ]);
  expect(third.next_cursor).toBeNull();
  for (const time of [
    "-271821-04-20T00:00:00.000Z",
    "+275760-09-13T00:00:00.000Z",
    "2026-13-01T00:00:00.000Z",
    "2026",
    "",
  ])
    expect(await page(`${time}_${NOBODY}`)).toMatchObject({ status: 400, body: { error: "invalid_cursor" } });
});
