import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { describeCommands } from "./cli/command-tree";
import { buildProgram } from "./cli/program";
import { operationBlocks } from "./docs/operation-blocks";
import { operationEntry } from "./docs/operation-list";
import { doorOf, handle, serves } from "./door/handle";
import { insideContext } from "./http/context";
import { plainResponse } from "./http/deferred-body";
import { env } from "./kernel/env";
import { openApiDocument } from "./openapi/document";
import { execute } from "./operations/execute";
import { type AnyOperation, isRouted, operation } from "./operations/operation";
import { OPERATIONS } from "./operations/registry";
import { serveProtocol } from "./testing/connector-server";
import { useTestState } from "./testing/database";

useTestState();

describe("a made-up operation needs only its object and one line in the registry", () => {
  const echo = operation({
    name: "echo_words",
    summary: "Echo words",
    description: "Says the words again, as often as asked.",
    access: "open",
    quota: "catalogue",
    http: { method: "POST", path: "/api/v2/public/echo/{word}" },
    input: {
      path: z.strictObject({ word: z.string() }),
      query: z.strictObject({ times: z.coerce.number().int().max(3).default(1) }),
      body: z.strictObject({ loud: z.boolean().default(false).describe("in capitals") }),
    },
    output: z.strictObject({ said: z.array(z.string()) }),
    async run({ path, query, body }) {
      const said: string = body.loud ? path.word.toUpperCase() : path.word;
      return { said: Array.from({ length: query.times }, () => said) };
    },
    mcp: {},
    cli: { usage: "words echo <word>", help: "Example: parquetry words echo hey --loud" },
  });
  const door = doorOf([...OPERATIONS, echo]);
  const send = (search: string, body: unknown) =>
    door.handle(
      new Request(`http://localhost/api/v2/public/echo/hey${search}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );

  test("over HTTP it replies, validates its input and supports its methods", async () => {
    const text = async (reply: Response) => plainResponse(reply, new Request("http://localhost/")).json();
    expect(await text(await send("?times=2", { loud: true }))).toEqual({ said: ["HEY", "HEY"] });
    expect((await send("?times=4", { loud: true })).status).toBe(400);
    expect((await send("", { loud: "very" })).status).toBe(400);
    const preflight = await door.handle(new Request("http://localhost/api/v2/public/echo/x", { method: "OPTIONS" }));
    expect(preflight.headers.get("allow")).toBe("POST, OPTIONS");
    expect(
      serves("/api/v2/public/echo/x") && (await handle(new Request("http://localhost/api/v2/public/echo/x"))).status,
    ).toBe(404);
  });

  test("a deprecated operation says so in every reply, including errors, and in OpenAPI", async () => {
    const deprecation = { since: new Date("2027-01-01"), sunset: new Date("2028-01-01"), successor: "/api/v3/echo" };
    const ending = { ...echo, deprecation };
    const request = (body: string) =>
      new Request("http://localhost/api/v2/public/echo/hey", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
    for (const body of ['{"loud":true}', "{}"]) {
      const { headers } = await doorOf([ending]).handle(request(body));
      expect(headers.get("deprecation")).toBe("@1798761600");
      expect(headers.get("sunset")).toBe("Sat, 01 Jan 2028 00:00:00 GMT");
      expect(headers.get("link")).toMatch(
        /\/docs\/changes>; rel="deprecation".*\/api\/v3\/echo>; rel="successor-version"/,
      );
    }
    const document = JSON.stringify(openApiDocument("http://localhost", [ending]));
    expect(document).toContain('"deprecated":true');
  });

  test("internal calls run it with its types inferred", async () => {
    const { said } = await execute(
      echo,
      { path: { word: "hey" }, query: { times: 1 }, body: { loud: false } },
      insideContext(),
    );
    expect(said).toEqual(["hey"]);
  });

  test("the connector has it as a tool, which a client lists and calls with flat arguments", async () => {
    const service = await serveProtocol((request) => door.handle(request));
    const client = new Client({ name: "test", version: "1" });
    try {
      await client.connect(new StreamableHTTPClientTransport(service.url));
      const listed = (await client.listTools()).tools.find(({ name }) => name === "echo_words");
      expect(listed).toMatchObject({ title: "Echo words", description: echo.description });
      expect(listed?.inputSchema).toMatchObject({ required: ["word"], additionalProperties: false });
      const call = (args: object) => client.callTool({ name: "echo_words", arguments: { ...args } });
      const { structuredContent, content } = await call({ word: "hey", loud: true, times: 2 });
      expect(structuredContent).toEqual({ said: ["HEY", "HEY"] });
      expect(content).toEqual([{ type: "text", text: '{"said":["HEY","HEY"]}' }]);
      const rejected = await call({ word: "hey", loud: "very", loudly: true });
      expect(rejected).toMatchObject({ isError: true });
      expect(JSON.stringify(rejected.content)).toMatch(/loud: .*loudly/s);
    } finally {
      await client.close();
      await service.close();
    }
  });

  test("the command line has it as a command, with its arguments, options, help and JSON", async () => {
    const run = async (...args: string[]) => {
      const written: string[] = [];
      const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
      try {
        const program = buildProgram([...OPERATIONS, echo]);
        await program.parseAsync(["words", "echo", ...args], { from: "user" });
      } finally {
        spy.mockRestore();
      }
      return written.join("");
    };
    expect(await run("hey", "--loud", "--times", "2", "--json")).toBe('{"said":["HEY","HEY"]}\n');
    expect(await run("hey")).toBe("said  hey\n");
    await expect(run("hey", "--times", "4")).rejects.toThrow(/^times: /);
    const [described] = describeCommands(buildProgram([...OPERATIONS, echo])).filter(
      ({ usage }) => usage === "words echo <word>",
    );
    expect(described).toMatchObject({ description: echo.description, more: expect.stringContaining("Example:") });
    expect(described?.options.map(({ flags }) => flags)).toEqual(["--times <times>", "--loud", "--json"]);
  });

  test("the docs have a page of it", () => {
    expect(operationEntry(echo)).toMatchObject({ slug: "api/echo-words", title: "Echo words" });
    const [place, settings] = [{ base: "http://localhost", tableIds: new Map(), versionIds: [] }, env()];
    const one: AnyOperation = echo;
    const blocks = isRouted(one) ? operationBlocks(one, { place, settings }, undefined) : [];
    expect(JSON.stringify(blocks)).toMatch(/POST \/api\/v2\/public\/echo\/\{word\}.*"times".*"loud".*"said"/s);
  });

  test("the OpenAPI document describes it", () => {
    const { paths } = openApiDocument("https://data.example", [...OPERATIONS, echo]) as {
      paths: Record<string, Record<string, { operationId: string; responses: object }>>;
    };
    const { post } = paths["/api/v2/public/echo/{word}"] ?? {};
    expect(post?.operationId).toBe("echo_words");
    expect(Object.keys(post?.responses ?? {})).toEqual(
      expect.arrayContaining(["200", "400", "404", "413", "415", "429"]),
    );
  });
});
