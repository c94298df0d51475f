import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { handle } from "@/lib/door/handle";
import { requestContext } from "@/lib/http/context";
import { ADDRESS_HEADER, listenerMark, MARK_HEADER } from "@/lib/http/listener-mark";
import { readAgentRequest } from "@/lib/operations/account/agent-consent";
import { useTestState } from "@/lib/testing/database";

useTestState({ LIMIT_REGISTRATION_ADDRESS_MINUTE: "3" });
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] })); // no minute ends in the meantime
afterAll(() => void vi.useRealTimers());

const from = (address: string) => ({ [MARK_HEADER]: listenerMark(), [ADDRESS_HEADER]: address });

const register = (address: string) =>
  handle(
    new Request("http://localhost/api/oauth/register", {
      method: "POST",
      headers: { "content-type": "application/json", ...from(address) },
      body: JSON.stringify({ redirect_uris: ["https://agent.example.com/callback"] }),
    }),
  );

test("an address can register a limited number of clients per minute, without affecting others", async () => {
  const statuses = [];
  for (let at = 0; at < 5; at++) statuses.push((await register("192.0.2.1")).status);
  expect(statuses).toEqual([201, 201, 201, 429, 429]);
  const rejected = await register("192.0.2.1");
  expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await register("198.51.100.1")).status).toBe(201);
});

test("an address can cause a limited number of document fetches per minute", async () => {
  const query = new URLSearchParams({
    client_id: "https://agent.invalid/client.json",
    redirect_uri: "https://agent.invalid/callback",
  });
  const ask = () => new Request(`http://localhost/oauth/authorize?${query}`, { headers: from("192.0.2.9") });
  for (let at = 0; at < 3; at++) expect((await handle(ask())).headers.get("location")).toMatch(/^\/oauth\/consent/);
  expect(await readAgentRequest(query.toString(), requestContext(ask()))).toEqual({
    outcome: "rejected",
    message: expect.stringContaining("Too many consent requests"),
  });
  expect((await register("192.0.2.9")).status).toBe(429);
});
