import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { answerAt } from "@/lib/http/endpoint";
import { formToken } from "@/lib/http/form-token";
import { DEVICE_FORM } from "@/lib/http/page-forms";
import { baseUrl } from "@/lib/kernel/env";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { waitingDevice } from "@/lib/testing/device";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { decideDeviceRequest, getDeviceRequest } from "./device-request";

useTestState({ LIMIT_SIGN_IN_ACCOUNT_MINUTE: "6" });
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] })); // no minute ends in the meantime
afterAll(() => void vi.useRealTimers());

let person: Awaited<ReturnType<typeof newWorkspace>>;
let cookie = "";

/** Each test has its own person, whose attempts nobody else uses up. */
async function somebody() {
  person = await newWorkspace();
  cookie = await sessionCookie(person.userId);
  return waitingDevice(baseUrl(), new Date(), { device_name: "lab-7" });
}

const decide = (body: Record<string, string>) => call(decideDeviceRequest, {}, { cookie }, body);

/** The form as a browser sends it from the page. */
async function sendForm(
  fields: Record<string, string>,
  headers: Record<string, string> = { origin: new URL(baseUrl()).origin },
) {
  const sent = { cookie, "content-type": "application/x-www-form-urlencoded", ...headers };
  const reply = await answerAt(
    DEVICE_FORM,
    new Request("http://localhost/device/answer", { method: "POST", headers: sent, body: new URLSearchParams(fields) }),
    {},
  );
  return { status: reply.status, location: reply.headers.get("location") };
}

async function tokenFor(userCode: string): Promise<string> {
  const { id } = await (await database()).prisma.session.findFirstOrThrow({ where: { userId: person.userId } });
  return formToken(id, userCode);
}

describe("a code that a person enters", () => {
  test("can be approved once, and is then gone", async () => {
    const device = await somebody();
    const reply = await decide({
      user_code: device.userCode.toLowerCase().replace("-", " "),
      decision: "allow",
      workspace_id: person.workspaceId,
    });
    expect([reply.status, reply.body]).toMatchObject([200, { decision: "allowed", name: "lab-7" }]);
    expect((await decide({ user_code: device.userCode, decision: "refuse" })).body.error).toBe("not_found");
    expect((await device.poll(new Date())).status).toBe(200);
  });

  test("for another's workspace or none, or a malformed one, is rejected", async () => {
    const device = await somebody();
    const other = await newWorkspace();
    expect(
      (await decide({ user_code: device.userCode, decision: "allow", workspace_id: other.workspaceId })).body.error,
    ).toBe("not_found");
    expect((await decide({ user_code: device.userCode, decision: "allow" })).body.error).toBe("not_found");
    expect(
      (await decide({ user_code: "ABCD-1234", decision: "allow", workspace_id: person.workspaceId })).body.error,
    ).toBe("invalid_value");
  });

  test("cannot be guessed: a person's attempts per minute are limited, valid or not", async () => {
    const device = await somebody();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt++)
      statuses.push((await decide({ user_code: "BCDF-GHJK", decision: "refuse" })).status);
    expect(new Set(statuses)).toEqual(new Set([404]));
    const rejected = await decide({ user_code: device.userCode, decision: "allow", workspace_id: person.workspaceId });
    expect([rejected.status, rejected.body.error, Number(rejected.headers.get("retry-after")) > 0]).toEqual([
      429,
      "rate_limited",
      true,
    ]);
    const url = new URL(
      (await sendForm({ user_code: device.userCode, token: await tokenFor(device.userCode), decision: "refuse" }))
        .location ?? "",
    );
    expect([url.pathname, url.searchParams.get("error")]).toEqual(["/device", "throttled"]);
  });

  test("is shown only to signed-in people", async () => {
    const device = await somebody();
    expect((await call(getDeviceRequest, {}, {})).status).toBe(401);
    expect((await call(decideDeviceRequest, {}, {}, { user_code: device.userCode, decision: "refuse" })).status).toBe(
      401,
    );
  });
});

describe("the page's form", () => {
  test("is accepted with its token, and returns to the page with the outcome", async () => {
    const device = await somebody();
    const fields = {
      user_code: device.userCode,
      token: await tokenFor(device.userCode),
      decision: "allow",
      workspace_id: person.workspaceId,
    };
    expect(await sendForm(fields)).toEqual({ status: 303, location: `${baseUrl()}/device?answered=allowed` });
    expect((await device.poll(new Date())).status).toBe(200);
    expect(await sendForm(fields)).toEqual({ status: 303, location: `${baseUrl()}/device?error=gone` });
  });

  test("without its token, with another code's or session's token, or without a decision, is rejected", async () => {
    const device = await somebody();
    const good = {
      user_code: device.userCode,
      token: await tokenFor(device.userCode),
      decision: "allow",
      workspace_id: person.workspaceId,
    };
    for (const change of [
      { token: "" },
      { token: await tokenFor("BCDF-GHJK") },
      { token: randomBytes(32).toString("hex") },
      { decision: "" },
    ]) {
      const { status, location } = await sendForm({ ...good, ...change });
      expect([status, new URL(location ?? "").searchParams.get("error")]).toEqual([303, "again"]);
    }
    cookie = await sessionCookie((await newWorkspace()).userId);
    expect((await sendForm(good)).location).toContain("error=again");
    expect((await device.poll(new Date())).body?.error).toBe("authorization_pending");
  });

  test("from another site is rejected, and without a session leads to sign-in and back", async () => {
    const device = await somebody();
    const fields = {
      user_code: device.userCode,
      token: await tokenFor(device.userCode),
      decision: "allow",
      workspace_id: person.workspaceId,
    };
    for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }, {}] as Record<
      string,
      string
    >[]) {
      expect((await sendForm(fields, headers)).status).toBe(403);
    }
    cookie = "";
    expect(await sendForm(fields)).toEqual({
      status: 303,
      location: `${baseUrl()}/device?user_code=${device.userCode}`,
    });
    expect((await device.poll(new Date())).body?.error).toBe("authorization_pending");
  });
});
