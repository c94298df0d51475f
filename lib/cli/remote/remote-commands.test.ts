import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { newKey } from "@/lib/auth/access-key";
import { callCommand } from "@/lib/testing/command";
import { useRemoteService } from "@/lib/testing/remote-service";
import { keepCredential } from "./credential-file";

const remote = useRemoteService();
const { metadata } = remote;

describe("a service's address", () => {
  test("that nothing listens at is reported with status 3", async () => {
    const { code, stderr } = await callCommand("tools", "--url", "http://127.0.0.1:65533");
    expect([code, stderr]).toEqual([3, "Cannot reach http://127.0.0.1:65533: connection refused.\n"]);
  });

  test("that redirects, has another issuer or names foreign endpoints receives no credential", async () => {
    remote.answers = () => ({ status: 307, headers: { location: "https://evil.example/" }, body: "" });
    expect((await callCommand("login", "--url", remote.url)).stderr).toContain("redirects to https://evil.example/");
    remote.answers = () => ({ body: { ...metadata(), issuer: "https://data.example.org" } });
    expect((await callCommand("login", "--url", remote.url)).stderr).toContain("own URL is https://data.example.org");
    remote.answers = () => ({ body: { ...metadata(), token_endpoint: "https://evil.example/token" } });
    expect((await callCommand("login", "--url", remote.url)).stderr).toContain(
      "belongs to another host. Nothing was sent",
    );
    remote.answers = () => ({ body: "<html>Welcome</html>" });
    expect((await callCommand("login", "--url", remote.url)).stderr).toContain("is not a Parquetry service");
  });
});

describe("a malicious service", () => {
  test("cannot exhaust memory: an endless reply is aborted", async () => {
    const endless = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const chunk = Buffer.alloc(1024 * 1024, " ");
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", more);
      more();
    });
    await new Promise<void>((resolve) => endless.listen(0, "127.0.0.1", resolve));
    const at = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
    expect(await callCommand("login", "--url", at)).toEqual({
      code: 3,
      stdout: "",
      stderr: `Cannot reach ${at}: its response is too large.\n`,
    });
    endless.closeAllConnections();
    endless.close();
  });

  test("cannot control the terminal by names or JSON values", async () => {
    keepCredential(remote.url, newKey("cli"), new Date("2027-01-01T00:00:00Z"));
    const evil = "a\u001b]0;x\u0007\u009b31m";
    const holder = {
      active: true,
      scope: evil,
      exp: 1_800_000_000,
      username: evil,
      workspace_name: evil,
      device_name: evil,
    };
    const tool = { name: evil, description: evil, inputSchema: { description: evil } };
    remote.answers = (path, sent) => {
      if (path !== "/api/mcp") return { body: path === "/introspect" ? holder : metadata() };
      return {
        body: {
          jsonrpc: "2.0",
          id: 1,
          result: sent.includes("tools/list") ? { tools: [tool] } : { structuredContent: { cell: evil } },
        },
      };
    };
    for (const args of [
      ["whoami"],
      ["whoami", "--json"],
      ["tools"],
      ["tools", evil],
      ["tools", "--json"],
      ["tools", evil, "--json"],
      ["call", "x", "--json"],
    ]) {
      const { code, stdout } = await callCommand(...args);
      expect([args[0], code, /\p{Cc}/u.test(stdout.replaceAll("\n", ""))]).toEqual([args[0], 0, false]);
    }
    expect(JSON.parse((await callCommand("call", "x", "--json")).stdout)).toEqual({ cell: evil });
  });
});

describe("an unknown tool", () => {
  test.each([["call"], ["tools"]])("%s gets a suggestion and how to list tools", async (command) => {
    remote.answers = (_path, sent) => ({
      body: sent.includes("tools/list")
        ? { jsonrpc: "2.0", id: 1, result: { tools: [{ name: "search", description: "Finds.", inputSchema: {} }] } }
        : {
            jsonrpc: "2.0",
            id: 1,
            error: { code: -32602, message: "Unknown tool. List the tools with tools/list." },
          },
    });
    const { code, stderr } = await callCommand(command, "serch", "--url", remote.url);
    expect([code, stderr]).toEqual([1, "Unknown tool: serch. Did you mean search? List them with: parquetry tools\n"]);
  });

  test("is distinguished from an existing tool's own rejection", async () => {
    remote.answers = (_path, sent) => ({
      body: sent.includes("tools/list")
        ? { jsonrpc: "2.0", id: 1, result: { tools: [{ name: "search", description: "Finds.", inputSchema: {} }] } }
        : { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "That went wrong." } },
    });
    expect((await callCommand("call", "search", "--url", remote.url)).stderr).toBe("That went wrong.\n");
  });
});

describe("a tool", () => {
  test("receives arguments and returns values with every digit", async () => {
    let sent = "";
    remote.answers = (_path, body) => {
      sent = body;
      return {
        body: '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"COMPLETE"}],"structuredContent":{"n":12345678901234567890}}}',
      };
    };
    const { stdout } = await callCommand(
      "call",
      "query_table",
      '{"id":9007199254740993}',
      "--json",
      "--url",
      remote.url,
    );
    expect([sent.includes('{"name":"query_table","arguments":{"id":9007199254740993}}'), stdout]).toEqual([
      true,
      '{"n":12345678901234567890}\n',
    ]);
    expect((await callCommand("call", "query_table", "--url", remote.url)).stdout).toBe("COMPLETE\n");
  });

  test("that fails, or gets malformed arguments, prints the cleaned reason with status 1", async () => {
    remote.answers = () => ({
      body: {
        jsonrpc: "2.0",
        id: 1,
        result: { isError: true, content: [{ type: "text", text: "not_found: \u001b]0;x\u0007no\nNext: search" }] },
      },
    });
    expect(await callCommand("call", "fetch", '{"id":"x"}', "--url", remote.url)).toEqual({
      code: 1,
      stdout: "",
      stderr: "not_found: ]0;xno\nNext: search\n",
    });
    for (const bad of ["{", "[]", "7", "null"])
      expect(await callCommand("call", "fetch", bad, "--url", remote.url)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("The arguments"),
      });
  });
});
