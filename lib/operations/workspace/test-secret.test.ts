import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { storeSecret } from "@/lib/vault/secrets";
import { testSecret } from "./secrets";

const seen: { method: string | undefined; authorization: string | undefined }[] = [];
const source = createServer(({ method, headers, url }, reply) => {
  seen.push({ method, authorization: headers.authorization });
  if (url === "/moved") return void reply.writeHead(302, { location: "/data" }).end();
  reply.writeHead(headers.authorization === "Bearer the-right-one" ? 200 : 401).end();
});
const port = await new Promise<number>((resolve) =>
  source.listen(0, "127.0.0.1", () => resolve((source.address() as AddressInfo).port)),
);
afterAll(() => source.close());
useTestState({ SOURCE_PRIVATE_HOSTS: `127.0.0.1:${port}` });

const base = `http://127.0.0.1:${port}`;

test("a credential is tested with one HEAD request at one of its hosts, and reported without its value", async () => {
  const { workspaceId, userId } = await newWorkspace();
  const cookie = await sessionCookie(userId);
  const store = (name: string, token: string) =>
    storeSecret({ actor: "service" }, workspaceId, { name, kind: "bearer", token }, new Date());
  await store("right", "the-right-one");
  await store("wrong", "the-wrong-one");
  const { prisma } = await database();
  const attempt = async (secret_name: string, url?: string) =>
    call(testSecret, { workspace_id: workspaceId, secret_name }, { cookie }, url === undefined ? {} : { url });
  const nowhere = await attempt("right");
  expect([nowhere.status, nowhere.body.message]).toEqual([409, expect.stringContaining("has no host")]);
  await prisma.sourceCredential.updateMany({ where: { workspaceId }, data: { hosts: ["127.0.0.1"] } });
  expect((await attempt("right", `${base}/data?x=1`)).body).toMatchObject({
    ...{ verdict: "accepted", status: 200, address: `${base}/data` },
  });
  expect((await attempt("wrong", `${base}/data`)).body).toMatchObject({ verdict: "rejected", status: 401 });
  expect((await attempt("right", `${base}/moved`)).body).toMatchObject({ verdict: "unclear", status: 302 });
  expect(seen.map(({ method }) => method)).toEqual(["HEAD", "HEAD", "HEAD"]); // no redirect is followed
  const elsewhere = await attempt("right", "https://data.example.org/");
  expect([elsewhere.status, elsewhere.body.error]).toEqual([409, "conflict"]);
  await prisma.sourceCredential.updateMany({ where: { workspaceId }, data: { hosts: ["127.0.0.1", "localhost"] } });
  for (const url of ["http://localhost/", "https://127.0.0.1:9/", "ftp://127.0.0.1/"])
    expect([url, (await attempt("right", url)).status]).toEqual([url, 400]);
  expect((await attempt("none-such", base)).status).toBe(404);
  expect(seen).toHaveLength(3);
  const used = await prisma.auditEvent.count({ where: { workspaceId, action: "secret.used" } });
  expect(used).toBeGreaterThan(2);
});
