import { beforeAll, describe, expect, test } from "vitest";
import { authenticateSession } from "@/lib/auth/session";
import { plainResponse } from "@/lib/http/deferred-body";
import { shownFormReply } from "@/lib/http/form-reply";
import { NONCE_HEADER } from "@/lib/http/security-headers";
import { SETTINGS_FORM_PATH } from "@/lib/http/settings-form";
import { baseUrl } from "@/lib/kernel/env";
import { FORM_FIELDS, type FormReply } from "@/lib/schemas/form-reply";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { handle } from "./handle";

useTestState();

const VALUE = "a value that nobody else sees";
const OWN = () => new URL(baseUrl()).origin;

let person: { cookie: string; sessionId: string; api: string };

beforeAll(async () => {
  person = await somebody();
});

async function somebody() {
  const { workspaceId, userId } = await newWorkspace();
  const cookie = await sessionCookie(userId);
  const { id } = await authenticateSession(cookie.split("=")[1] ?? "", new Date());
  return { cookie, sessionId: id, api: `/api/account/workspaces/${workspaceId}` };
}

interface Sent {
  method?: string;
  path?: string;
  body?: string;
  back?: string;
  leadsTo?: string;
  typed?: Record<string, string>;
  headers?: Record<string, string>;
}

/** Posts a form of the settings as a page without script does. */
async function post({ method = "POST", path = "", body = "none", typed = {}, headers = {}, ...more }: Sent) {
  const fields = {
    ...{ [FORM_FIELDS.method]: method, [FORM_FIELDS.path]: path, [FORM_FIELDS.body]: body, ...typed },
    [FORM_FIELDS.back]: more.back ?? "/settings/secrets",
    ...(more.leadsTo !== undefined && { [FORM_FIELDS.leadsTo]: more.leadsTo }),
    [FORM_FIELDS.done]: "It is done.",
  };
  const sent = { cookie: person.cookie, origin: OWN(), "content-type": "application/x-www-form-urlencoded" };
  const request = new Request(`${baseUrl()}${SETTINGS_FORM_PATH}`, {
    method: "POST",
    body: new URLSearchParams(fields).toString(),
    headers: { ...sent, ...headers },
  });
  const reply = plainResponse(await handle(request), request);
  const location = reply.headers.get("location");
  const [pair = ""] = reply.headers.get("set-cookie")?.split(";") ?? [];
  return { status: reply.status, location: location?.replace(OWN(), ""), value: pair.split("=")[1] };
}

/** What the page shows that a reply leads to. */
function shown({ location, value }: Awaited<ReturnType<typeof post>>, session = person): FormReply | undefined {
  const id = new URL(location ?? "", OWN()).searchParams.get("reply") ?? undefined;
  return shownFormReply(id, session.sessionId, () => value);
}

const secret = (typed: Record<string, string>): Sent => ({
  path: `${person.api}/secrets`,
  body: "secret",
  typed: { kind: "header", field: "X-Api-Key", value: VALUE, ...typed },
});

const stored = async () => (await (await database()).prisma.sourceCredential.findMany()).map(({ name }) => name);

test("a faulty form returns with its faults and what was typed, but without secrets", async () => {
  const reply = await post(secret({ name: "Not a name" }));
  expect(reply).toMatchObject({ status: 303, location: expect.stringMatching(/^\/settings\/secrets\?reply=[\w-]+$/) });
  const told = shown(reply);
  expect(told).toMatchObject({
    form: `secret POST ${person.api}/secrets`,
    typed: { name: "Not a name", kind: "header", field: "X-Api-Key" },
    problem: { error: "invalid_value", details: [{ pointer: "/name" }] },
  });
  expect(JSON.stringify(told)).not.toContain(VALUE);
  expect(await stored()).toEqual([]);
});

test("a valid form is executed by the account API's own call, and the page says so", async () => {
  const reply = await post(secret({ name: "weather" }));
  expect(shown(reply)).toMatchObject({ typed: {}, done: "It is done." });
  expect(await stored()).toEqual(["weather"]);
  const path = `${person.api}/secrets/weather`;
  const hosts = await post({
    method: "PUT",
    path: `${path}/hosts`,
    body: "secret_hosts",
    typed: { hosts: "a.example, " },
  });
  expect(shown(hosts)?.problem).toBeUndefined();
  expect((await (await database()).prisma.sourceCredential.findFirst())?.hosts).toEqual(["a.example"]);
  expect(shown(await post({ method: "DELETE", path }))?.problem).toBeUndefined();
  expect(await stored()).toEqual([]);
});

test("a new key is shown only on the page of its own session, and on none with another URL", async () => {
  const typed = { name: "laptop", lifetime: "90" };
  const reply = await post({ path: `${person.api}/keys`, body: "key", back: "/settings/access", typed });
  expect(shown(reply)?.data).toMatchObject({ name: "laptop", key: expect.stringMatching(/^svc_use_/) });
  expect(shown(reply, await somebody())).toBeUndefined();
  expect(shown({ ...reply, location: "/settings/access?reply=another" })).toBeUndefined();
  expect(shown({ ...reply, value: reply.value?.replace(/.$/, (last) => (last === "A" ? "B" : "A")) })).toBeUndefined();
});

test("signing out everywhere leads to the sign-in page, and the session is gone", async () => {
  const before = person;
  person = await somebody();
  const sent = { method: "DELETE", path: "/api/account/sessions", leadsTo: "/sign-in?after=everywhere" };
  expect((await post(sent)).location).toBe("/sign-in?after=everywhere");
  expect((await post(sent)).location).toMatch(/^\/sign-in\?error=SessionEnded/);
  person = before;
});

test("a reply too long for a cookie returns without what was typed, but with its faults", async () => {
  const reply = await post(secret({ name: "n".repeat(6_000) }));
  expect(shown(reply)).toMatchObject({
    typed: {},
    problem: { error: "invalid_value", details: [{ pointer: "/name" }] },
  });
});

test("a secret that is shown once is returned however long the typed values were", async () => {
  const url = `https://hooks.invalid/${"x".repeat(1_900)}`;
  const typed = { channel: "webhook", url, released: "yes" };
  const reply = await post({ path: `${person.api}/watches`, body: "watch", back: "/settings/watches", typed });
  expect(shown(reply)?.data).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
  expect(reply.value?.length).toBeLessThan(4_000);
});

test("an error that a form's own page cannot show is a page with a link back, and data for programs", async () => {
  const send = (accept: string) =>
    new Request(`${baseUrl()}${SETTINGS_FORM_PATH}`, {
      method: "POST",
      body: `note=${"x".repeat(20_000)}`,
      headers: {
        ...{ cookie: person.cookie, origin: OWN(), accept, [NONCE_HEADER]: "n0nce" },
        ...{ referer: `${OWN()}/settings/secrets`, "content-type": "application/x-www-form-urlencoded" },
      },
    });
  const [page, data] = await Promise.all(["text/html,*/*", "application/json"].map((accept) => handle(send(accept))));
  expect([page?.status, page?.headers.get("content-type")]).toEqual([413, "text/html; charset=utf-8"]);
  const text = await page?.text();
  expect(text).toContain("<h1>Request too large</h1>");
  expect(text).toContain('<a href="/settings/secrets">Back to the form</a>');
  expect([data?.status, await data?.json()]).toEqual([413, expect.objectContaining({ error: "request_too_large" })]);
});

describe("nothing else can be done with it", () => {
  test.each([
    "/api/v2/public/datasets",
    "/api/account/../v2/public/datasets",
    "/api/accounts",
    "//example.org/api/account/x",
    "",
  ])("%s is not an account call", async (path) => {
    expect(await post({ path })).toMatchObject({ status: 303, location: "/settings" });
  });

  test("a form on another site's page is rejected", async () => {
    for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }])
      expect((await post({ ...secret({ name: "foreign" }), headers })).status).toBe(403);
    expect(await stored()).not.toContain("foreign");
  });

  test("it leads only to pages of the service", async () => {
    const path = `${person.api}/secrets/none`;
    for (const back of ["https://evil.example/settings/", "//evil.example", "/api/account", "/studio"])
      expect((await post({ method: "DELETE", path, back })).location).toMatch(/^\/settings\?reply=/);
    const named = { method: "PATCH", path: "/api/account", body: "optional_name", typed: { name: "Ada" } };
    expect((await post({ ...named, leadsTo: "https://evil.example/" })).location).toBe("/");
  });

  test("without a session it leads to the sign-in page and back", async () => {
    const reply = await post({ ...secret({ name: "nobody" }), headers: { cookie: "" } });
    expect(reply.location).toBe("/sign-in?error=SessionEnded&callbackUrl=%2Fsettings%2Fsecrets");
    expect(reply.value).toBeUndefined();
  });
});
