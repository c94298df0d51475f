import { randomBytes, randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { secretsSchema } from "@/lib/schemas/secret";
import { addMember, removeMember } from "@/lib/store/people/members";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { openSecret } from "@/lib/vault/secrets";
import { changeSecretHosts, createSecret, deleteSecret, listSecrets, replaceSecret } from "./secrets";

useTestState({ LIMIT_ACCOUNT_MINUTE: "100000" });

const people: Record<"owner" | "member" | "stranger", { cookie: string; userId: string }> = {
  owner: { cookie: "", userId: "" },
  member: { cookie: "", userId: "" },
  stranger: { cookie: "", userId: "" },
};
let path = { workspace_id: "" };
let value = "";

beforeAll(async () => {
  const owner = await newWorkspace();
  path = { workspace_id: owner.workspaceId };
  for (const who of ["owner", "member", "stranger"] as const) {
    const { userId } = who === "owner" ? owner : await newWorkspace();
    people[who] = { userId, cookie: await sessionCookie(userId) };
  }
  const { prisma } = await database();
  await prisma.membership.create({
    data: { userId: people.member.userId, workspaceId: owner.workspaceId, role: "member" },
  });
});

beforeEach(async () => {
  value = randomBytes(16).toString("hex");
  const { prisma } = await database();
  await prisma.sourceCredential.deleteMany();
});

const as = (who: keyof typeof people) => ({ cookie: people[who].cookie });
const named = (name: string) => ({ ...path, secret_name: name });
const bearer = () => ({ name: "weather", kind: "bearer", token: value });

describe("a workspace's secrets over HTTP", () => {
  test("a member stores, lists and replaces; an owner deletes; no reply shows a value", async () => {
    const stored = await call(createSecret, path, as("member"), bearer());
    expect([stored.status, stored.body]).toEqual([201, { schema_version: "service-done.v1", status: "stored" }]);
    const next = randomBytes(16).toString("hex");
    const replaced = await call(replaceSecret, named("weather"), as("member"), { kind: "bearer", token: next });
    expect([replaced.status, replaced.body]).toEqual([200, { schema_version: "service-done.v1", status: "replaced" }]);
    expect(await openSecret(path.workspace_id, "weather", "recipe", new Date())).toEqual({
      kind: "bearer",
      token: next,
    });
    const listed = await call(listSecrets, path, as("member"));
    expect(secretsSchema.parse(listed.body).secrets).toMatchObject([
      { name: "weather", kind: "bearer", field: null, last_used_by: "recipe" },
    ]);
    expect(listed.headers.get("cache-control")).toBe("no-store");
    expect(listed.headers.get("access-control-allow-origin")).toBeNull();
    const kept = await call(deleteSecret, named("weather"), as("member"));
    expect([kept.status, kept.body.error]).toEqual([403, "insufficient_scope"]);
    const gone = await call(deleteSecret, named("weather"), as("owner"));
    expect([gone.status, gone.body]).toEqual([200, { schema_version: "service-done.v1", status: "deleted" }]);
    expect((await call(listSecrets, path, as("owner"))).body.secrets).toEqual([]);
    for (const { text } of [stored, replaced, listed, kept, gone])
      expect(text).not.toMatch(new RegExp(`${value}|${next}`));
  });

  test("a member sets its hosts, each once and in lower case; without any it cannot be used", async () => {
    await call(createSecret, path, as("member"), bearer());
    expect((await call(listSecrets, path, as("member"))).body.secrets).toMatchObject([{ hosts: [] }]);
    const hosts = ["API.example.org", "api.example.org", "*.example.net"];
    expect((await call(changeSecretHosts, named("weather"), as("member"), { hosts })).status).toBe(200);
    const listed = (await call(listSecrets, path, as("member"))).body.secrets;
    expect(listed).toMatchObject([{ hosts: ["api.example.org", "*.example.net"] }]);
    const rejected = await call(changeSecretHosts, named("weather"), as("member"), { hosts: ["*.org"] });
    expect([rejected.status, rejected.body.details[0].pointer]).toEqual([400, "/hosts/0"]);
    expect((await call(changeSecretHosts, named("none"), as("member"), { hosts })).status).toBe(404);
    expect((await call(changeSecretHosts, named("weather"), as("stranger"), { hosts })).status).toBe(404);
  });

  test("the audit log records who and from where", async () => {
    await call(createSecret, path, as("member"), bearer());
    const { prisma } = await database();
    const events = await prisma.auditEvent.findMany({
      where: { workspaceId: path.workspace_id },
      orderBy: { at: "desc" },
      take: 1,
    });
    expect(events).toMatchObject([
      { action: "secret.created", actor: "person", userId: people.member.userId, subject: "weather" },
    ]);
  });

  test.each([
    ["a name that is taken", () => call(createSecret, path, as("owner"), bearer()), 409, "conflict"],
    [
      "another kind",
      () => call(replaceSecret, named("weather"), as("owner"), { kind: "query", field: "k", value }),
      409,
      "conflict",
    ],
    [
      "no such secret, replaced",
      () => call(replaceSecret, named("none"), as("owner"), { kind: "bearer", token: value }),
      404,
      "not_found",
    ],
    ["no such secret, deleted", () => call(deleteSecret, named("none"), as("owner")), 404, "not_found"],
    ["what can be no name", () => call(deleteSecret, named("No Name\u0000"), as("owner")), 404, "not_found"],
    [
      "a bad name and a bad field at once",
      () => call(createSecret, path, as("owner"), { name: "W", kind: "header", field: "Host", value }),
      400,
      "invalid_value",
    ],
    [
      "a control character",
      () => call(createSecret, path, as("owner"), { name: "w", kind: "query", field: "k", value: `${value}\n` }),
      400,
      "invalid_value",
    ],
    [
      "an unknown kind",
      () => call(createSecret, path, as("owner"), { name: "w", kind: "cookie", value }),
      400,
      "invalid_request",
    ],
    [
      "a key too many",
      () => call(createSecret, path, as("owner"), { ...bearer(), name: "w", more: value }),
      400,
      "invalid_request",
    ],
    [
      "a number",
      () => call(createSecret, path, as("owner"), { name: "w", kind: "bearer", token: 5 }),
      400,
      "invalid_request",
    ],
    ["broken JSON", () => call(createSecret, path, as("owner"), `{"name":"w","token":"${value}`), 400, "invalid_json"],
    ["no object", () => call(createSecret, path, as("owner"), [value]), 400, "invalid_request"],
  ])("%s is rejected without a word of the value", async (_what, ask, status, error) => {
    await call(createSecret, path, as("owner"), bearer());
    const reply = await ask();
    expect([reply.status, reply.body.error]).toEqual([status, error]);
    expect(reply.text).not.toContain(value);
  });

  test("all faults are reported at once", async () => {
    const { body } = await call(createSecret, path, as("owner"), {
      name: "W",
      kind: "header",
      field: "Host",
      value: "",
    });
    expect(body.details.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      expect.arrayContaining(["/name", "/field", "/value"]),
    );
  });
});

describe("who is rejected", () => {
  const OPERATIONS = [
    ["list", () => listSecrets, () => path, undefined],
    ["create", () => createSecret, () => path, () => ({ name: "mine", kind: "bearer", token: value })],
    ["replace", () => replaceSecret, () => named("weather"), () => ({ kind: "bearer", token: value })],
    ["delete", () => deleteSecret, () => named("weather"), undefined],
  ] as const;

  test.each(OPERATIONS)("%s: nobody, a key, a bearer token, a foreign page", async (_name, operation, params, body) => {
    const asked = async (headers: Record<string, string>) => {
      const { status, body: reply } = await call(operation(), params(), headers, body?.());
      return [status, reply.error];
    };
    expect(await asked({})).toEqual([401, "key_missing"]);
    expect(await asked({ cookie: "parquetry-session=forged" })).toEqual([401, "key_missing"]);
    expect(await asked({ "x-api-key": "svc_use_typo" })).toEqual([401, "key_wrong_type"]);
    expect(await asked({ authorization: "Bearer t" })).toEqual([401, "key_missing"]);
    if (operation().http?.method !== "GET")
      expect(await asked({ ...as("owner"), origin: "https://elsewhere.example" })).toEqual([403, "forbidden_origin"]);
  });

  test.each(OPERATIONS)(
    "%s: a stranger gets the same bytes as for an unknown workspace",
    async (_name, operation, params, body) => {
      await call(createSecret, path, as("owner"), bearer());
      const answers = await Promise.all(
        [params(), { ...params(), workspace_id: randomUUID() }, { ...params(), workspace_id: "none" }].map(
          async (one) => {
            const { status, text, headers } = await call(operation(), one, as("stranger"), body?.());
            return [status, text.replace(headers.get("x-request-id") ?? "-", "")];
          },
        ),
      );
      expect(answers[0]?.[0]).toBe(404);
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(await openSecret(path.workspace_id, "weather", "r", new Date())).toEqual({ kind: "bearer", token: value });
    },
  );

  test("a member who was removed, from the next request on", async () => {
    const left = await newWorkspace();
    const headers = { cookie: await sessionCookie(left.userId) };
    await addMember(path.workspace_id, left.userId, "member", { actor: "operator" });
    expect((await call(listSecrets, path, headers)).status).toBe(200);
    await removeMember(path.workspace_id, left.userId, { actor: "operator" });
    expect((await call(listSecrets, path, headers)).status).toBe(404);
    expect((await call(createSecret, path, headers, bearer())).status).toBe(404);
  });
});
