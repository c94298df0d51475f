import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { newKey } from "@/lib/auth/access-key";
import { callCommand } from "@/lib/testing/command";
import { keepCredential } from "./credential-file";
import { awaitCredential } from "./device-login";

/**
 * What a service that misbehaves, or that is asked by a clock which runs faster, answers; the real one is asked in the
 * browser's tests.
 */
type Answer = { status?: number; headers?: Record<string, string>; body: unknown };
let answers: (path: string, sent: string, request: IncomingMessage) => Answer;
let server: Server;
let base = "";

const folder = mkdtempSync(join(tmpdir(), "parquetry-remote-"));

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { status = 200, headers = {}, body } = answers(request.url ?? "", Buffer.concat(chunks).toString(), request);
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const credentialsAt = (home: string): string => join(home, "parquetry", "credentials.json");
let home = "";
beforeEach(() => {
  home = mkdtempSync(join(folder, "home-"));
  vi.stubEnv("XDG_CONFIG_HOME", home);
});

const metadata = () => ({
  issuer: base,
  token_endpoint: `${base}/token`,
  revocation_endpoint: `${base}/revoke`,
  introspection_endpoint: `${base}/introspect`,
  device_authorization_endpoint: `${base}/device_authorization`,
});

describe("a service's address", () => {
  test("that nothing listens at is told in words, with status 3", async () => {
    const { code, stderr } = await callCommand("tools", "--url", "http://127.0.0.1:65533");
    expect([code, stderr]).toEqual([3, "Cannot reach http://127.0.0.1:65533: connection refused.\n"]);
  });

  test("that sends elsewhere, calls itself otherwise or names foreign endpoints gets nothing", async () => {
    answers = () => ({ status: 307, headers: { location: "https://evil.example/" }, body: "" });
    expect((await callCommand("login", "--url", base)).stderr).toContain("redirects to https://evil.example/");
    answers = () => ({ body: { ...metadata(), issuer: "https://data.example.org" } });
    expect((await callCommand("login", "--url", base)).stderr).toContain("own URL is https://data.example.org");
    answers = () => ({ body: { ...metadata(), token_endpoint: "https://evil.example/token" } });
    expect((await callCommand("login", "--url", base)).stderr).toContain("belongs to another host. Nothing was sent");
    answers = () => ({ body: "<html>Welcome</html>" });
    expect((await callCommand("login", "--url", base)).stderr).toContain("is not a Parquetry service");
  });
});

describe("a service that means harm", () => {
  test("cannot fill the memory: an answer without end is let go", async () => {
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
  }, 20_000);

  test("steers no terminal, by the names that it gives or by the values of its JSON", async () => {
    keepCredential(base, newKey("cli"), new Date("2027-01-01T00:00:00Z"));
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
    answers = (path, sent) => {
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

  test("is not asked without a pause, nor waited for beyond measure", async () => {
    const begun = {
      device_code: "d",
      user_code: "BCDF-GHJK",
      verification_uri: base,
      verification_uri_complete: base,
      expires_in: 900,
      interval: 5,
    };
    for (const change of [{ interval: 0 }, { interval: -5 }, { interval: 1e12 }, { expires_in: 1e300 }]) {
      let asked = 0;
      answers = (path) => {
        if (path === "/token") asked++;
        return path === "/device_authorization" ? { body: { ...begun, ...change } } : { body: metadata() };
      };
      expect(await callCommand("login", "--url", base)).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringContaining("Signing in"),
      });
      expect(asked).toBe(0);
    }
  });
});

describe("a tool that there is not", () => {
  test.each([["call"], ["tools"]])("%s says which was meant and how to list them", async (command) => {
    answers = (_path, sent) => ({
      body: sent.includes("tools/list")
        ? { jsonrpc: "2.0", id: 1, result: { tools: [{ name: "search", description: "Finds.", inputSchema: {} }] } }
        : {
            jsonrpc: "2.0",
            id: 1,
            error: { code: -32602, message: "Unknown tool. List the tools with tools/list." },
          },
    });
    const { code, stderr } = await callCommand(command, "serch", "--url", base);
    expect([code, stderr]).toEqual([1, "Unknown tool: serch. Did you mean search? List them with: parquetry tools\n"]);
  });

  test("is told from a tool that there is, whose refusal stays as it is", async () => {
    answers = (_path, sent) => ({
      body: sent.includes("tools/list")
        ? { jsonrpc: "2.0", id: 1, result: { tools: [{ name: "search", description: "Finds.", inputSchema: {} }] } }
        : { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "That went wrong." } },
    });
    expect((await callCommand("call", "search", "--url", base)).stderr).toBe("That went wrong.\n");
  });
});

describe("asking whether the person has answered", () => {
  const begun = {
    device_code: "d",
    user_code: "BCDF-GHJK",
    verification_uri: "",
    verification_uri_complete: "",
    expires_in: 900,
    interval: 5,
  };

  /** Answers in their order; returns how long the command line slept before each question. */
  async function waits(...errors: (string | number)[]) {
    const slept: number[] = [];
    let time = 0;
    const sleep = async (ms: number): Promise<void> => {
      slept.push(ms / 1000);
      time += ms;
    };
    answers = () => {
      const next = errors.shift();
      if (typeof next === "number") return { status: next, body: "" };
      return next === undefined
        ? { body: { access_token: "t", expires_in: 1, scope: "s" } }
        : { status: 400, body: { error: next } };
    };
    const result = await awaitCredential(metadata(), begun, { now: () => time, sleep }).catch((error: Error) => error);
    return { result, slept };
  }

  test("waits the interval, five seconds longer after each slow_down, and twice as long while the service is away", async () => {
    const { result, slept } = await waits(
      "authorization_pending",
      "slow_down",
      "authorization_pending",
      "slow_down",
      502,
      "authorization_pending",
    );
    expect(slept).toEqual([5, 5, 10, 10, 15, 30, 30]);
    expect(result).toMatchObject({ access_token: "t" });
  });

  test("says that it was refused, that the code expired, and gives up by itself", async () => {
    expect((await waits("access_denied")).result).toMatchObject({
      message: expect.stringContaining("The request was denied"),
      exitCode: 2,
    });
    expect((await waits("expired_token")).result).toMatchObject({
      message: expect.stringContaining("The code has expired"),
      exitCode: 2,
    });
    const { result, slept } = await waits(...Array.from({ length: 500 }, () => "authorization_pending"));
    expect(result).toMatchObject({ message: expect.stringContaining("has expired") });
    expect(slept.length).toBe(180);
  });
});

describe("the credential", () => {
  test("is kept where its owner alone can read it, and printed nowhere", async () => {
    const credential = newKey("cli");
    keepCredential(base, credential, new Date("2027-01-01T00:00:00Z"));
    expect([statSync(credentialsAt(home)).mode & 0o777, statSync(join(home, "parquetry")).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    answers = (path) =>
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

  test("that is refused asks to sign in again, with status 2; one that there is none of, too", async () => {
    expect(await callCommand("whoami", "--url", base)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Not signed in"),
    });
    keepCredential(base, newKey("cli"), new Date());
    answers = (path) => (path === "/introspect" ? { body: { active: false } } : { body: metadata() });
    expect(await callCommand("whoami")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`parquetry login --url ${base}`),
    });
    answers = () => ({
      status: 401,
      headers: { "www-authenticate": 'Bearer error="invalid_token"' },
      body: { error: { message: "no" } },
    });
    expect(await callCommand("call", "query_table", "{}")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("It was revoked or has expired"),
    });
  });

  test("is revoked and forgotten; while the service is away it stays, and says how to forget it", async () => {
    keepCredential(base, newKey("cli"), new Date());
    answers = () => ({ status: 503, body: "Back at 12:00 UTC." });
    expect(await callCommand("logout")).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/Back at 12:00 UTC\..*--forget/),
    });
    expect(existsSync(credentialsAt(home))).toBe(true);
    const revoked: string[] = [];
    answers = (path, sent) => {
      if (path === "/revoke") revoked.push(sent);
      return { body: path === "/revoke" ? "" : metadata() };
    };
    expect((await callCommand("logout")).code).toBe(0);
    expect([revoked.length, existsSync(credentialsAt(home))]).toEqual([1, false]);
  });

  test("in a file that is none is said to be unreadable", async () => {
    keepCredential(base, newKey("cli"), new Date());

    writeFileSync(credentialsAt(home), "{");
    expect(await callCommand("whoami")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Delete it and sign in again"),
    });
  });
});

describe("a tool", () => {
  test("gets its arguments and gives its values with every digit", async () => {
    let sent = "";
    answers = (_path, body) => {
      sent = body;
      return {
        body: '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"COMPLETE"}],"structuredContent":{"n":12345678901234567890}}}',
      };
    };
    const { stdout } = await callCommand("call", "query_table", '{"id":9007199254740993}', "--json", "--url", base);
    expect([sent.includes('{"name":"query_table","arguments":{"id":9007199254740993}}'), stdout]).toEqual([
      true,
      '{"n":12345678901234567890}\n',
    ]);
    expect((await callCommand("call", "query_table", "--url", base)).stdout).toBe("COMPLETE\n");
  });

  test("that fails says why, without what would steer the terminal, with status 1; so do arguments that are none", async () => {
    answers = () => ({
      body: {
        jsonrpc: "2.0",
        id: 1,
        result: { isError: true, content: [{ type: "text", text: "not_found: \u001b]0;x\u0007no\nNext: search" }] },
      },
    });
    expect(await callCommand("call", "fetch", '{"id":"x"}', "--url", base)).toEqual({
      code: 1,
      stdout: "",
      stderr: "not_found: ]0;xno\nNext: search\n",
    });
    for (const bad of ["{", "[]", "7", "null"])
      expect(await callCommand("call", "fetch", bad, "--url", base)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("The arguments"),
      });
  });
});

describe("a skill", () => {
  const SKILL = "---\nname: read-open-data\n---\n";
  const listing = (change: Record<string, string> = {}) => ({
    skills: [
      {
        name: "read-open-data",
        type: "skill-md",
        url: `${base}/SKILL.md`,
        digest: `sha256:${createHash("sha256").update(SKILL).digest("hex")}`,
        ...change,
      },
    ],
  });
  const offering = (change?: Record<string, string>) => {
    answers = (path) => ({ body: path.endsWith("index.json") ? listing(change) : SKILL });
  };
  const installed = (dir: string): string => join(dir, "read-open-data", "SKILL.md");
  const install = (dir: string, ...more: string[]) =>
    callCommand("skill", "install", "--url", base, "--dir", dir, ...more);

  test("is written as it is served, replaced only when asked to", async () => {
    const dir = mkdtempSync(join(folder, "skills-"));
    offering();
    expect((await install(dir)).stdout).toBe(`Written: ${installed(dir)}\n`);
    expect(readFileSync(installed(dir), "utf8")).toBe(SKILL);
    expect((await install(dir)).stdout).toContain("is up to date");
    rmSync(installed(dir));

    writeFileSync(installed(dir), "my own");
    expect(await install(dir)).toMatchObject({ code: 1, stderr: expect.stringContaining("--force") });
    expect((await install(dir, "--force")).stdout).toContain("Replaced");
  });

  test("whose bytes are not its digest's, that lies elsewhere, or whose name is a path, is not written", async () => {
    for (const change of [
      { digest: `sha256:${"0".repeat(64)}` },
      { url: "https://evil.example/SKILL.md" },
      { name: "../escape" },
      { name: "a/b" },
    ]) {
      const dir = mkdtempSync(join(folder, "skills-"));
      offering(change);
      expect(await install(dir)).toMatchObject({ code: 1, stdout: "" });
      expect([existsSync(join(dir, "read-open-data")), existsSync(join(dir, "..", "escape"))]).toEqual([false, false]);
    }
  });
});
