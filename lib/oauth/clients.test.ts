import { expect, test } from "vitest";
import { findClient, type NewClient, touchClient } from "@/lib/store/people/oauth-clients";
import { useTestState } from "@/lib/testing/database";
import { resolveClient } from "./clients";
import { isRegistered } from "./redirect-uri";

useTestState();

const CODEX = "https://chatgpt.com/oauth/codex/client.json";
const ID = "https://agent.example.com/client.json";
const at = (time: string) => new Date(`2026-06-01T${time}Z`);

const said = (id: string, name: string) => async (): Promise<NewClient> => ({
  id,
  kind: "document",
  name,
  uri: null,
  redirectUris: ["https://agent.example.com/callback"],
  authMethod: "none",
  secretHash: null,
  fetchedAt: at("00:00:00"),
});
const unreadable = async (): Promise<NewClient> =>
  Promise.reject(new Error("The client's document cannot be reached."));
const unasked = async (): Promise<NewClient> => Promise.reject(new Error("asked for nothing"));

test.each([
  ["https://claude.ai/oauth/mcp-oauth-client-metadata", "Claude", "https://claude.ai/api/mcp/auth_callback"],
  ["https://claude.ai/oauth/claude-code-client-metadata", "Claude Code", "http://localhost:52114/callback"],
  ["https://chatgpt.com/oauth/client.json", "ChatGPT", "https://chatgpt.com/connector_platform_oauth_redirect"],
  [CODEX, "Codex", "http://127.0.0.1:57585/callback"],
  ["https://vscode.dev/oauth/client-metadata.json", "Visual Studio Code", "https://vscode.dev/redirect"],
])("%s is known if its document cannot be read, and redirects only to its own URL", async (id, name, redirect) => {
  const client = await resolveClient(id, at("00:00:00"), unreadable);
  expect(client).toMatchObject({ id, name, authMethod: "none" });
  expect(isRegistered(redirect, client?.redirectUris ?? [])).toBe(true);
  expect(isRegistered(`${redirect}x`, client?.redirectUris ?? [])).toBe(false);
});

test("the document takes precedence over what is known about the client", async () => {
  await resolveClient(CODEX, at("00:00:00"), unreadable);
  expect((await resolveClient(CODEX, at("00:00:01"), said(CODEX, "Codex by its document")))?.name).toBe(
    "Codex by its document",
  );
});

test("a document is fetched once an hour, its last copy is used for a day, and then it is required again", async () => {
  expect((await resolveClient(ID, at("00:00:00"), said(ID, "Agent")))?.name).toBe("Agent");
  expect((await resolveClient(ID, at("00:59:00"), unasked))?.name).toBe("Agent");
  expect((await resolveClient(ID, at("23:59:00"), unreadable))?.name).toBe("Agent");
  await expect(resolveClient(ID, new Date("2026-06-02T00:00:01Z"), unreadable)).rejects.toThrow("cannot be reached");
  await expect(resolveClient("https://unknown.example.com/client.json", at("00:00:00"), unreadable)).rejects.toThrow(
    "cannot be reached",
  );
});

test("an id that is not a document's URL is never fetched", async () => {
  expect(await resolveClient("c_unknown", at("00:00:00"), unasked)).toBeUndefined();
});

test("documents without a connection are dropped after a week and fetched again; others are kept", async () => {
  const [unused, used] = ["https://unused.example.com/client.json", "https://used.example.com/client.json"];
  for (const id of [unused, used]) await resolveClient(id, at("00:00:00"), said(id, "Agent"));
  await touchClient(used, at("00:00:01"));
  await resolveClient(CODEX, new Date("2026-06-08T00:00:01Z"), unreadable);
  expect([await findClient(unused), (await findClient(used))?.id]).toEqual([undefined, used]);
});
