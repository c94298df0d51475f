import { existsSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { newKey } from "@/lib/auth/access-key";
import { callCommand } from "@/lib/testing/command";
import { useRemoteService } from "@/lib/testing/remote-service";
import { keepCredential } from "./credential-file";

const remote = useRemoteService();
const { metadata } = remote;

describe("the credential", () => {
  test("is stored where only its owner can read it, and printed nowhere", async () => {
    const credential = newKey("cli");
    keepCredential(remote.url, credential, new Date("2027-01-01T00:00:00Z"));
    expect([
      statSync(remote.credentialsFile()).mode & 0o777,
      statSync(dirname(remote.credentialsFile())).mode & 0o777,
    ]).toEqual([0o600, 0o700]);
    remote.answers = (path) =>
      path === "/introspect"
        ? {
            body: {
              active: true,
              scope: "datasets:read",
              exp: 1_800_000_000,
              username: "ada@example.com",
              workspace_name: "Ada\u001b[31m",
              device_name: null,
            },
          }
        : { body: metadata() };
    const { code, stdout, stderr } = await callCommand("whoami");
    expect([code, stdout.includes(credential), stderr]).toEqual([0, false, ""]);
    expect(stdout).toContain("ada@example.com");
    expect(stdout).not.toContain("\u001b");
  });

  test("that is rejected or missing asks to sign in again, with status 2", async () => {
    expect(await callCommand("whoami", "--url", remote.url)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Not signed in"),
    });
    keepCredential(remote.url, newKey("cli"), new Date());
    remote.answers = (path) => (path === "/introspect" ? { body: { active: false } } : { body: metadata() });
    expect(await callCommand("whoami")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`parquetry login --url ${remote.url}`),
    });
    remote.answers = () => ({
      status: 401,
      headers: { "www-authenticate": 'Bearer error="invalid_token"' },
      body: { error: { message: "no" } },
    });
    expect(await callCommand("call", "query_table", "{}")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("It was revoked or has expired"),
    });
  });

  test("is revoked and deleted; if the service is unreachable it is kept, with advice", async () => {
    keepCredential(remote.url, newKey("cli"), new Date());
    remote.answers = () => ({ status: 503, body: "Back at 12:00 UTC." });
    expect(await callCommand("logout")).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/Back at 12:00 UTC\..*--forget/),
    });
    expect(existsSync(remote.credentialsFile())).toBe(true);
    const revoked: string[] = [];
    remote.answers = (path, sent) => {
      if (path === "/revoke") revoked.push(sent);
      return { body: path === "/revoke" ? "" : metadata() };
    };
    expect((await callCommand("logout")).code).toBe(0);
    expect([revoked.length, existsSync(remote.credentialsFile())]).toEqual([1, false]);
  });

  test("in a malformed file is reported as unreadable", async () => {
    keepCredential(remote.url, newKey("cli"), new Date());

    writeFileSync(remote.credentialsFile(), "{");
    expect(await callCommand("whoami")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Delete it and sign in again"),
    });
  });
});
