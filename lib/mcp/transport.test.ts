import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveProtocol } from "@/lib/testing/connector-server";
import { PIXEL_PNG } from "@/lib/testing/media";
import { answerFixture } from "@/lib/testing/protocol-fixture";
import { WIDE_SCHEMA } from "@/lib/testing/wide-schema";

let service: Awaited<ReturnType<typeof serveProtocol>>;
beforeAll(async () => {
  service = await serveProtocol(answerFixture);
});
afterAll(() => service.close());

const about = { name: "test", version: "1" };
const CLIENTS = {
  "1.x": async () => {
    const client = new OldClient(about);
    await client.connect(new OldTransport(service.url) as never);
    return client;
  },
  "2.x": async () => {
    const client = new NewClient(about);
    await client.connect(new NewTransport(service.url));
    return client;
  },
  "2.x without a handshake": async () => {
    const client = new NewClient(about, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new NewTransport(service.url));
    return client;
  },
};

test.each(Object.entries(CLIENTS))(
  "the %s client gets every kind of content, schemas as they are, resources and prompts",
  async (_name, connect) => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "json_schema_2020_12_tool")?.inputSchema).toEqual(WIDE_SCHEMA);
    const mixed = await client.callTool({ name: "test_multiple_content_types", arguments: {} });
    expect(mixed.content).toMatchObject([{ type: "text" }, { type: "image", data: PIXEL_PNG }, { type: "resource" }]);
    expect(await client.callTool({ name: "test_error_handling", arguments: {} })).toMatchObject({ isError: true });
    expect(await client.readResource({ uri: "test://static-binary" })).toMatchObject({
      contents: [{ blob: PIXEL_PNG }],
    });
    expect(await client.readResource({ uri: "test://template/123/data" })).toMatchObject({
      contents: [{ text: expect.stringContaining('"id":"123"') }],
    });
    await expect(client.readResource({ uri: "test://nowhere" })).rejects.toMatchObject({ code: expect.any(Number) });
    const prompt = await client.getPrompt({ name: "test_prompt_with_arguments", arguments: { arg1: "a", arg2: "b" } });
    expect(prompt.messages).toMatchObject([{ content: { text: expect.stringContaining("arg1='a', arg2='b'") } }]);
    await client.close();
  },
);
