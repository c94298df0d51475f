import {
  completable,
  McpServer,
  MissingRequiredClientCapabilityError,
  ResourceTemplate,
  type Tool,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { HANDSHAKE_VERSIONS } from "@/lib/mcp/protocol-versions";
import { answerProtocol } from "@/lib/mcp/transport";
import { PIXEL_PNG, SILENT_WAV } from "./media";
import { WIDE_SCHEMA } from "./wide-schema";

const image = { type: "image", data: PIXEL_PNG, mimeType: "image/png" } as const;
const text = (value: string) => ({ type: "text", text: value }) as const;
const embedded = (uri: string, mimeType: string, value: string) =>
  ({ type: "resource", resource: { uri, mimeType, text: value } }) as const;

/** Tools without arguments and with constant replies, under the names that the protocol's own suite calls. */
const CONSTANT = {
  test_simple_text: [text("This is a simple text response for testing.")],
  test_image_content: [image],
  test_audio_content: [{ type: "audio", data: SILENT_WAV, mimeType: "audio/wav" } as const],
  test_embedded_resource: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
  test_multiple_content_types: [
    text("Multiple content types test:"),
    image,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ],
  test_logging_tool: [text("Nothing was logged.")],
  test_streaming_elicitation: [text("Nothing was asked.")],
};

/**
 * A server for the calls of the protocol's own suite, over the connector's transport. Its scenarios test the transport
 * in cases where the connector has no such tool.
 */
export const answerFixture = (request: Request): Promise<Response> =>
  answerProtocol(request, { admit: async () => newFixture });

function newFixture(): McpServer {
  const server = new McpServer(
    { name: "protocol-fixture", version: "1" },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
        completions: {},
      },
      supportedProtocolVersions: [...HANDSHAKE_VERSIONS, "2026-07-28"],
    },
  );
  addTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}

const NOTHING = { type: "object" as const };

function addTools({ server }: McpServer): void {
  const named = (name: string): Tool => ({
    name,
    description: `${name} of the protocol's suite.`,
    inputSchema: NOTHING,
  });
  const tools = [...Object.keys(CONSTANT), "test_error_handling", "test_missing_capability"].map(named);
  const wide: Tool = { ...named("json_schema_2020_12_tool"), inputSchema: WIDE_SCHEMA };
  server.setRequestHandler("tools/list", () => ({ tools: [...tools, wide] }));
  server.setRequestHandler("tools/call", ({ params: { name } }) => {
    if (name === "test_error_handling")
      return { isError: true, content: [text("This tool intentionally returns an error for testing")] };
    if (name === "test_missing_capability")
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    return { content: [...(CONSTANT[name as keyof typeof CONSTANT] ?? [text(name)])] };
  });
}

function addResources(server: McpServer): void {
  const about = (description: string, mimeType: string) => ({ description, mimeType });
  server.registerResource("static-text", "test://static-text", about("Some text.", "text/plain"), ({ href }) => ({
    contents: [{ uri: href, mimeType: "text/plain", text: "This is the content of the static text resource." }],
  }));
  server.registerResource("static-binary", "test://static-binary", about("A picture.", "image/png"), ({ href }) => ({
    contents: [{ uri: href, mimeType: "image/png", blob: PIXEL_PNG }],
  }));
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, about("Data by id.", "application/json"), ({ href }, { id }) => ({
    contents: [
      {
        uri: href,
        mimeType: "application/json",
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
    ],
  }));
}

function addPrompts(server: McpServer): void {
  const said = (...content: (ReturnType<typeof text> | typeof image | ReturnType<typeof embedded>)[]) => ({
    messages: content.map((part) => ({ role: "user" as const, content: part })),
  });
  const argument = (description: string) => z.string().describe(description);
  server.registerPrompt("test_simple_prompt", { description: "No arguments." }, () =>
    said(text("This is a simple prompt for testing.")),
  );
  const two = z.object({
    arg1: completable(argument("First."), () => ["paris", "park", "party"]),
    arg2: argument("Second."),
  });
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "Two arguments.", argsSchema: two },
    ({ arg1, arg2 }) => said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  const one = z.object({ resourceUri: argument("What to embed.") });
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "A resource within.", argsSchema: one },
    ({ resourceUri }) =>
      said(
        embedded(resourceUri, "text/plain", "Embedded resource content for testing."),
        text("Please process the embedded resource above."),
      ),
  );
  server.registerPrompt("test_prompt_with_image", { description: "A picture within." }, () =>
    said(image, text("Please analyze the image above.")),
  );
}
