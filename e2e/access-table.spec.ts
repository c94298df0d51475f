import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { newKey } from "@/lib/auth/access-key";
import type { RoutedOperation } from "@/lib/operations/operation";
import { CALLERS, type Caller, EXPECTED } from "@/lib/testing/access-expectations";
import { READ_ROUTES, READERS, type ReadRoute, readStatus } from "@/lib/testing/read-expectations";
import { outcomeOf, pathOf, readOutcome, TRIED, wrongBody } from "@/lib/testing/tried-routes";
import { tableOf } from "./catalogue";
import { Contract } from "./openapi";
import { deviceOf, invite, newEmail, Person, setVisibility } from "./people";
import { scratchFolder } from "./scratch";
import { parquetry, parquetryBeside, payFor } from "./service";
import { test } from "./test";

const owner = new Person(newEmail("owner"));
const member = new Person(newEmail("member"));
const stranger = new Person(newEmail("stranger"));
const keys = { use: "", live: newKey("live"), device: newKey("cli") };
let workspaceId = "";
let publicTable = "";
let publicVersion = "";
let contract: Contract;

test.beforeAll(async ({ request }) => {
  contract = await Contract.of(request);
  await Promise.all([owner.signUp(), member.signUp(), stranger.signUp()]);
  workspaceId = (await owner.call("POST", "/api/account/workspaces", { name: "Access table" })).json.workspace.id;
  await invite(owner, member, workspaceId);
  await payFor(workspaceId);
  keys.device = await deviceOf(owner, workspaceId);
  keys.use = (await owner.createKey(workspaceId)).key;
  keys.live = JSON.parse(
    parquetry("key", "create", "--kind", "live", "--workspace", workspaceId, "--name", "legacy", "--json"),
  ).key;
  ({ tableId: publicTable, version_id: publicVersion } = await tableOf(request, "mauna-loa-co2"));
});

const SENT: Record<Caller, { person?: Person; headers?: () => Record<string, string> }> = {
  anonymous: {},
  "use key": { headers: () => ({ "x-api-key": keys.use }) },
  "live key": { headers: () => ({ "x-api-key": keys.live }) },
  device: { headers: () => ({ "x-api-key": keys.device }) },
  bearer: { headers: () => ({ authorization: `Bearer ${keys.use}` }) },
  stranger: { person: stranger },
  member: { person: member },
  owner: { person: owner },
};

const places = () => ({
  workspace_id: workspaceId,
  table_id: publicTable,
  slug: "mauna-loa-co2",
  version_id: publicVersion,
  position: "1",
});

/** How a call was rejected, or `in` if it reached the next check (of the body) or the work itself. */
async function outcome(op: RoutedOperation, caller: Caller): Promise<string> {
  const { person = new Person("nobody@example.com"), headers } = SENT[caller];
  const body = wrongBody(op);
  const { status, headers: got, json } = await person.call(op.http.method, pathOf(op, places()), body, headers?.());
  const reply = { status, requestId: got.get("x-request-id") ?? "", type: got.get("content-type") ?? "", body: json };
  contract.expectFits(op.http.method.toLowerCase(), op.http.path, reply);
  return outcomeOf(status, json);
}

for (const op of TRIED) {
  test(`${op.name}: callers are let in or rejected as the access table says, in a documented reply`, async () => {
    for (const caller of CALLERS) {
      const expected = EXPECTED[op.access]?.[caller];
      expect(`${caller}: ${readOutcome(op, expected, await outcome(op, caller))}`).toBe(`${caller}: ${expected}`);
    }
  });
}

test("people can only make themselves leave or sign out everywhere", async () => {
  const guest = await new Person(newEmail("guest")).signUp();
  await invite(owner, guest, workspaceId);
  for (const [method, path] of [
    ["DELETE", `/api/account/workspaces/${workspaceId}/membership`],
    ["DELETE", "/api/account/sessions"],
  ] as const) {
    expect((await new Person("nobody@example.com").call(method, path)).json.error).toBe("key_missing");
    for (const key of Object.values(keys)) {
      expect(
        (await new Person("nobody@example.com").call(method, path, undefined, { "x-api-key": key })).json.error,
      ).toBe("key_wrong_type");
    }
  }
  expect((await stranger.call("DELETE", `/api/account/workspaces/${workspaceId}/membership`)).status).toBe(404);
  // the last owner
  expect((await owner.call("DELETE", `/api/account/workspaces/${workspaceId}/membership`)).json.error).toBe("conflict");
  expect((await guest.call("DELETE", `/api/account/workspaces/${workspaceId}/membership`)).status).toBe(200);
  expect((await guest.call("GET", `/api/account/workspaces/${workspaceId}`)).status).toBe(404);
  expect((await guest.call("DELETE", "/api/account/sessions")).status).toBe(200);
  expect((await guest.call("GET", "/api/account")).json.error).toBe("key_revoked");
});

test.describe("data", () => {
  const tables: Record<string, string> = {};
  const slugs = { "of the workspace": "access-own", foreign: "access-foreign", withdrawn: "access-withdrawn" };

  test.beforeAll(async ({ request }) => {
    for (const [name, slug] of Object.entries(slugs)) {
      await publish(slug);
      tables[name] = (await tableOf(request, slug)).tableId;
    }
    const other = (await stranger.account()).workspaces[0]?.id ?? "";
    await setVisibility(slugs["of the workspace"], "private", "--workspace", workspaceId);
    await setVisibility(slugs.foreign, "private", "--workspace", other);
    await setVisibility(slugs.withdrawn, "withdrawn");
    Object.assign(tables, { public: publicTable, unknown: randomUUID() });
  });

  async function read({ method, path, body }: ReadRoute, reader: (typeof READERS)[number], id: string) {
    const { person = new Person("nobody@example.com"), headers } = SENT[reader];
    return person.call(method, path(id), body, headers?.());
  }

  for (const route of READ_ROUTES) {
    for (const reader of READERS) {
      test(
        `${route.name}, ${reader}: public for all, the workspace's own for its use key, the rest as if it did ` +
          "not exist",
        async () => {
          const kinds = Object.entries(tables);
          const replies = await Promise.all(kinds.map(([, id]) => read(route, reader, id)));
          expect(replies.map(({ status }, at) => `${kinds[at]?.[0]} ${status}`)).toEqual(
            kinds.map(([kind]) => `${kind} ${readStatus(route, reader, kind)}`),
          );
          const hidden = replies
            .filter(({ status }) => status === 404)
            .map(({ json }) => JSON.stringify({ ...json, request_id: "" }));
          expect(new Set(hidden).size).toBeLessThanOrEqual(1);
        },
      );
    }
  }

  test("datasets by their slugs: the same, in JSON, Croissant and Markdown; pages are also for members", async () => {
    const anybody = new Person("nobody@example.com");
    for (const path of [
      (slug: string) => `/api/v2/public/datasets/${slug}`,
      (slug: string) => `/api/v2/public/datasets/${slug}/croissant.json`,
    ]) {
      const replies = await Promise.all(
        [...Object.values(slugs), "no-such-dataset"].map((slug) => anybody.call("GET", path(slug))),
      );
      expect(
        new Set(replies.map(({ status, json }) => JSON.stringify([status, { ...json, request_id: "" }]))).size,
      ).toBe(1);
      expect(
        (await anybody.call("GET", path(slugs["of the workspace"]), undefined, { "x-api-key": keys.use })).status,
      ).toBe(200);
      expect((await anybody.call("GET", path(slugs.foreign), undefined, { "x-api-key": keys.use })).status).toBe(404);
    }
    for (const [kind, slug] of Object.entries(slugs)) {
      expect((await owner.call("GET", `/datasets/${slug}`)).status).toBe(kind === "of the workspace" ? 200 : 404);
      for (const path of [`/datasets/${slug}`, `/datasets/${slug}/llms.txt`])
        expect((await anybody.call("GET", path)).status).toBe(404);
      expect((await owner.call("GET", `/datasets/${slug}/llms.txt`)).status).toBe(404);
    }
    const listed = async (headers: Record<string, string>) => {
      const path = "/api/v2/public/datasets?q=access&limit=100";
      const found: string[] = (await anybody.call("GET", path, undefined, headers)).json.datasets.map(
        (entry: { slug: string }) => entry.slug,
      );
      return found.filter((slug) => Object.values(slugs).includes(slug));
    };
    expect(await listed({ "x-api-key": keys.use })).toEqual([slugs["of the workspace"]]);
    expect(await listed({})).toEqual([]);
  });

  test(
    "what was read with a key is kept by no shared cache, and a key that does not hold opens nothing and spoils " +
      "nothing",
    async () => {
      const anybody = new Person("nobody@example.com");
      const own = await anybody.call("GET", `/api/v2/public/tables/${tables["of the workspace"]}/schema`, undefined, {
        "x-api-key": keys.use,
      });
      expect(own.headers.get("cache-control")).toMatch(/private|no-store/);
      const { id, key } = await owner.createKey(workspaceId, "soon revoked");
      await owner.call("DELETE", `/api/account/workspaces/${workspaceId}/keys/${id}`);
      for (const bad of [key, newKey("use"), "svc_use_nonsense", "x"]) {
        expect(
          (await anybody.call("GET", `/api/v2/public/tables/${publicTable}/schema`, undefined, { "x-api-key": bad }))
            .status,
        ).toBe(200);
      }
    },
  );
});

test("a member who is removed loses session and key access on the very next request", async () => {
  const guest = await new Person(newEmail("removed")).signUp();
  const { id: userId } = await guest.account();
  await invite(owner, guest, workspaceId);
  const { key } = await guest.createKey(workspaceId);
  const query = () =>
    guest.call(
      "POST",
      `/api/v2/public/tables/${publicTable}/query`,
      { columns: ["CO2"], limit: 1 },
      { "x-api-key": key },
    );
  expect((await query()).status).toBe(200);
  expect((await guest.call("GET", `/api/account/workspaces/${workspaceId}/keys`)).status).toBe(200);
  expect((await owner.call("DELETE", `/api/account/workspaces/${workspaceId}/members/${userId}`)).status).toBe(200);
  expect((await query()).json.error).toBe("key_revoked");
  expect((await guest.call("GET", `/api/account/workspaces/${workspaceId}/keys`)).status).toBe(404);
});

async function publish(slug: string): Promise<void> {
  const file = join(scratchFolder("access"), `${slug}.csv`);
  writeFileSync(file, "id,value\n1,a\n2,b\n");
  await parquetryBeside(
    "publish",
    file,
    "--dataset",
    slug,
    "--table",
    "rows",
    "--title",
    slug,
    "--publisher",
    "Tests",
    "--license",
    "CC0-1.0",
    "--json",
  );
}
