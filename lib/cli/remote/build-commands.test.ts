import { expect, test } from "vitest";
import { newKey } from "@/lib/auth/access-key";
import { callCommand } from "@/lib/testing/command";
import { useRemoteService } from "@/lib/testing/remote-service";
import { keepCredential } from "./credential-file";

const remote = useRemoteService();

/** Answers as the connector does, and returns what it was sent. */
function connector(result: object): { sent: unknown[] } {
  const sent: unknown[] = [];
  remote.answers = (_path, body) => {
    sent.push((JSON.parse(body) as { params: unknown }).params);
    return { body: { jsonrpc: "2.0", id: 1, result } };
  };
  return { sent };
}

test("inspect calls the tool, and prints what it found, or that as JSON", async () => {
  keepCredential(remote.url, newKey("cli"), new Date("2027-01-01T00:00:00Z"));
  const found = { content: [{ type: "text", text: "DONE; inspection 1" }], structuredContent: { state: "done" } };
  const { sent } = connector(found);
  const address = "https://data.example.org/levels.csv";
  expect(await callCommand("inspect", address)).toMatchObject({ code: 0, stdout: "DONE; inspection 1\n" });
  const more = ["--credential", "api", "--depth", "full", "--json"];
  expect(await callCommand("inspect", address, ...more)).toMatchObject({ code: 0, stdout: '{"state":"done"}\n' });
  expect(sent).toEqual([
    { name: "start_source_inspection", arguments: { source: { url: address }, wait_ms: 20_000 } },
    {
      name: "start_source_inspection",
      arguments: { source: { url: address, credential: "api" }, depth: "full", wait_ms: 20_000 },
    },
  ]);
});

test("a package and an upload have short names, and what is found becomes a first recipe", async () => {
  keepCredential(remote.url, newKey("cli"), new Date("2027-01-01T00:00:00Z"));
  const source = { kind: "upload", name: "source", upload: "levels", reader: { format: "csv" } };
  const table = { steps: [], columns: [{ name: "gauge", type: "string" }] };
  const { sent } = connector({ content: [], structuredContent: { state: "done", source, table, next: "" } });
  const { stdout } = await callCommand("inspect", "upload:levels", "--recipe", "Levels");
  expect(stdout).toMatch(/^schema_version: service-recipe\.v1\nsources:\n {2}- name: source\n[\s\S]* title: Levels\n/);
  for (const named of ["npm:mime-db/db.json", "npm:@scope/data/a/b.csv", "npm:@scope/data"])
    await callCommand("inspect", named);
  const npm = { kind: "package", registry: "npm" };
  expect(sent.map((call) => (call as { arguments: { source: object } }).arguments.source)).toEqual([
    { kind: "upload", upload: "levels" },
    { ...npm, package: "mime-db", path: "db.json" },
    { ...npm, package: "@scope/data", path: "a/b.csv" },
    { ...npm, package: "@scope/data" },
  ]);
});

test("what the service rejects is reported, with status 1", async () => {
  keepCredential(remote.url, newKey("cli"), new Date("2027-01-01T00:00:00Z"));
  connector({
    isError: true,
    content: [{ type: "text", text: "plan_required: Building datasets requires a paid plan" }],
  });
  expect(await callCommand("inspect", "https://data.example.org/x.csv")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("plan_required"),
  });
});

test("login requests the right to build only with --build", async () => {
  const scopes: (string | null)[] = [];
  remote.answers = (path, body) => {
    if (path !== "/device_authorization") return { body: remote.metadata() };
    scopes.push(new URLSearchParams(body).get("scope"));
    return { status: 400, body: { error: "invalid_request" } };
  };
  await callCommand("login", "--url", remote.url);
  await callCommand("login", "--url", remote.url, "--build");
  expect(scopes).toEqual(["datasets:read", "datasets:read datasets:build"]);
});

test("credentials lists names, kinds and hosts, or says where they are stored", async () => {
  keepCredential(remote.url, newKey("cli"), new Date("2027-01-01T00:00:00Z"));
  const stored = { name: "air", kind: "header", field: "X-Key", hosts: ["a.org", "*.b.org"], last_used_at: null };
  const structuredContent = { credentials: [stored], manage_url: "https://example.org/settings/secrets" };
  connector({ structuredContent });
  const { code, stdout } = await callCommand("credentials");
  expect([code, stdout]).toEqual([0, expect.stringMatching(/air\s+header X-Key\s+a\.org \*\.b\.org\s+never/)]);
  expect(await callCommand("credentials", "--json")).toMatchObject({
    stdout: `${JSON.stringify(structuredContent)}\n`,
  });
  connector({ structuredContent: { ...structuredContent, credentials: [] } });
  expect(await callCommand("credentials")).toMatchObject({
    stdout: "No credentials. Store them at https://example.org/settings/secrets\n",
  });
});
