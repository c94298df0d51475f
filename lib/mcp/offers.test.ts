import { createHash } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { skillIndex } from "@/lib/describe/agent-skill";
import { useGauges } from "@/lib/testing/gauges-connector";
import { DIRECT_VERSION } from "./protocol-versions";

const gauges = useGauges();
const BASE = "http://localhost:3000";

/** One message at a version of either era. */
async function ask(method: string, params: object = {}, version: "2025-11-25" | "2026-07-28" = DIRECT_VERSION) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const isDirect = version === DIRECT_VERSION;
  const named = "name" in params ? params.name : "uri" in params ? params.uri : undefined;
  const message = { jsonrpc: "2.0", id: 1, method, params: { ...params, ...(isDirect && { _meta: meta }) } };
  const heads = { "mcp-method": method, ...(named !== undefined && { "mcp-name": String(named) }) };
  return (await gauges.post(message, { "mcp-protocol-version": version, ...(isDirect && heads) })).json;
}

async function connected(): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: DIRECT_VERSION } } });
  await client.connect(new StreamableHTTPClientTransport(gauges.url));
  return client;
}

test("the server describes itself, with icons, and says that its skills can be listed", async () => {
  const { result } = await ask("server/discover");
  expect(result).toMatchObject({ ttlMs: 3_600_000, cacheScope: "public" });
  expect(result.capabilities).toMatchObject({ prompts: {}, extensions: { "io.modelcontextprotocol/skills": {} } });
  const client = await connected();
  expect(client.getServerVersion()).toMatchObject({
    description: expect.stringContaining("versioned tables"),
    icons: [{ src: `${BASE}/icon.svg` }, { src: `${BASE}/icon-192.png` }],
  });
  await client.close();
});

test("lists can be cached for an hour: the list of tools only by its reader, the others by everybody", async () => {
  for (const method of ["prompts/list", "resources/list", "resources/templates/list", "skills/list"])
    expect([method, (await ask(method)).result]).toMatchObject([method, { ttlMs: 3_600_000, cacheScope: "public" }]);
  expect((await ask("tools/list")).result).toMatchObject({ ttlMs: 3_600_000, cacheScope: "private" });
});

test.each(["tools/list", "prompts/list", "resources/list", "resources/templates/list", "skills/list"])(
  "%s rejects a cursor that it never issued, in both eras",
  async (method) => {
    for (const version of ["2025-11-25", "2026-07-28"] as const)
      expect((await ask(method, { cursor: "bogus" }, version)).error).toMatchObject({ code: -32_602 });
  },
);

test("a dataset is read by its slug, which is completed; an unknown one is not a resource", async () => {
  const client = await connected();
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain("parquetry://datasets/{slug}");
  const ref = { type: "ref/resource", uri: "parquetry://datasets/{slug}" } as const;
  const completed = await client.complete({ ref, argument: { name: "slug", value: "UGE" } });
  expect(completed.completion.values).toEqual(["gauges"]);
  const { contents } = await client.readResource({ uri: "parquetry://datasets/gauges" });
  expect(contents).toMatchObject([{ mimeType: "text/markdown", text: expect.stringMatching(/^# River gauges\n/) }]);
  await expect(client.readResource({ uri: "parquetry://datasets/nowhere" })).rejects.toThrow(/nowhere/);
  await expect(client.readResource({ uri: "parquetry://datasets/No%20slug" })).rejects.toThrow();
  await client.close();
});

test("two prompts begin a conversation, and complete the dataset's name", async () => {
  const client = await connected();
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
    "explore_dataset",
    "answer_with_citation",
  ]);
  const ref = { type: "ref/prompt", name: "explore_dataset" } as const;
  expect((await client.complete({ ref, argument: { name: "dataset", value: "g" } })).completion.values).toEqual([
    "gauges",
  ]);
  const explore = await client.getPrompt({ name: "explore_dataset", arguments: { dataset: "gauges" } });
  expect(explore.messages).toMatchObject([{ content: { text: expect.stringContaining('dataset "gauges"') } }]);
  const question = "How many rows are there?";
  const answer = await client.getPrompt({ name: "answer_with_citation", arguments: { question } });
  expect(answer.messages).toMatchObject([{ role: "user", content: { text: expect.stringContaining(question) } }]);
  await client.close();
});

describe("the skills extension", () => {
  const index = skillIndex(BASE) as { skills: { name: string; description: string; digest: string }[] };

  test.each(["2025-11-25", "2026-07-28"] as const)(
    "at %s lists the skills of the website with the digests of their bytes",
    async (version) => {
      const { skills } = (await ask("skills/list", {}, version)).result;
      expect(skills).toMatchObject(
        index.skills.map(({ name, description, digest }) => ({
          uri: `skill://${name}/SKILL.md`,
          frontmatter: { name, description },
          resources: [{ uri: `skill://${name}/SKILL.md`, digest }],
        })),
      );
      for (const skill of skills) {
        expect((await ask("skills/get", { uri: skill.uri }, version)).result.skill).toEqual(skill);
        const { contents } = (await ask("resources/read", { uri: skill.uri }, version)).result;
        const digest = createHash("sha256").update(contents[0].text).digest("hex");
        expect(skill.resources[0].digest).toBe(`sha256:${digest}`);
      }
    },
  );

  test("an unknown skill is an invalid parameter, an unknown file is not a resource", async () => {
    expect((await ask("skills/get", { uri: "skill://nowhere/SKILL.md" })).error).toMatchObject({ code: -32_602 });
    expect((await ask("resources/read", { uri: "skill://read-open-data/../x" })).error).toBeDefined();
  });
});
