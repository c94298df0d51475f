import { beforeAll, expect, test } from "vitest";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { newWorkspace } from "@/lib/testing/workspace";
import { storeSecret } from "@/lib/vault/secrets";
import { checkCredentialHosts } from "./credential-hosts";

useTestState();

let workspaceId = "";
beforeAll(async () => {
  ({ workspaceId } = await newWorkspace());
  for (const name of ["open", "closed"])
    await storeSecret({ actor: "service" }, workspaceId, { name, kind: "bearer", token: "abcdefgh1" }, new Date());
  const { prisma } = await database();
  const hosts = ["api.example.org", "*.example.net"];
  await prisma.sourceCredential.updateMany({ where: { workspaceId, name: "open" }, data: { hosts } });
});

const source = (url: string, credential: string) => ({ kind: "http", url, credential }) as RecipeSource;

test("a credential goes to the hosts that a person listed", async () => {
  const sources = [source("https://api.example.org/a", "open"), source("https://a.example.net/", "open")];
  await expect(checkCredentialHosts(sources, workspaceId, "stored")).resolves.toBeUndefined();
});
test("any other host is refused, naming the source", async () => {
  const sources = [source("https://api.example.org/a", "open"), source("https://evil.example/", "open")];
  await expect(checkCredentialHosts(sources, workspaceId, "named")).rejects.toMatchObject({
    code: "conflict",
    faults: [{ pointer: "/sources/1/credential", message: expect.stringContaining("evil.example") }],
  });
});
test("a credential not stored yet, or without hosts, can be named in a recipe but no run can start", async () => {
  for (const name of ["closed", "absent"]) {
    const sources = [source("https://api.example.org/", name)];
    await expect(checkCredentialHosts(sources, workspaceId, "named")).resolves.toBeUndefined();
    await expect(checkCredentialHosts(sources, workspaceId, "stored")).rejects.toMatchObject({ code: "conflict" });
  }
});
