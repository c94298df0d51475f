import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { oauthError, oauthReply } from "@/lib/oauth/oauth-reply";
import { useTestState } from "@/lib/testing/database";
import { answerAt } from "./endpoint";
import { ADDRESS_HEADER, listenerMark, MARK_HEADER } from "./listener-mark";
import { tokenEndpoint } from "./oauth-endpoint";

useTestState({ LIMIT_CATALOGUE_MINUTE: "5", LIMIT_TOKEN_CLIENT_MINUTE: "8" });
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] })); // no minute ends in the meantime
afterAll(() => void vi.useRealTimers());

/** Replaces the exchange: a code that begins with g is valid. */
const TOKENS = tokenEndpoint(async ({ fields }) =>
  fields.get("code")?.startsWith("g") ? oauthReply(200, {}) : oauthError("invalid_grant", "No."),
);

async function statuses(count: number, address: string, form: Record<string, string>): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at < count; at++) {
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      [MARK_HEADER]: listenerMark(),
      [ADDRESS_HEADER]: address,
    };
    const body = new URLSearchParams(form).toString();
    const request = new Request("http://localhost/api/oauth/token", { method: "POST", headers, body });
    found.push((await answerAt(TOKENS, request, {})).status);
  }
  return found;
}

const times = (count: number, status: number) => Array.from({ length: count }, () => status);

test("successful exchanges count for their client, so that one address can have many users", async () => {
  expect(await statuses(9, "192.0.2.1", { client_id: "a", code: "g" })).toEqual([...times(8, 200), 429]);
  expect(await statuses(8, "192.0.2.1", { client_id: "b", code: "g" })).toEqual(times(8, 200));
});

test("rejected exchanges count for the address, and do not block clients at other addresses", async () => {
  expect(await statuses(6, "192.0.2.2", { client_id: "c", code: "bad" })).toEqual([...times(5, 400), 429]);
  expect(await statuses(1, "192.0.2.2", { client_id: "c", code: "g" })).toEqual([429]);
  expect(await statuses(1, "192.0.2.3", { client_id: "c", code: "g" })).toEqual([200]);
});
