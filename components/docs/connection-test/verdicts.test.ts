import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newKey } from "@/lib/auth/access-key";
import { baseUrl } from "@/lib/kernel/env";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { connectAgent } from "@/lib/testing/agent";
import { serveConnector } from "@/lib/testing/connector-server";
import { useTestState as testStateWith } from "@/lib/testing/database";
import { deadKeys, endConnection, expireToken, liveKey } from "@/lib/testing/dead-credentials";
import { publishTwoRows } from "@/lib/testing/two-rows";
import { newWorkspace } from "@/lib/testing/workspace";
import { callTool, handshakes, message } from "./calls";
import { bareCredential, credentialForm } from "./credential-form";
import { send } from "./exchange";
import { type Facts, structured } from "./reply-facts";
import { verdictOf } from "./verdicts";

const LOOKUPS_MINUTE = 12;
testStateWith({ LIMIT_CATALOGUE_MINUTE: String(LOOKUPS_MINUTE) });

let service: Awaited<ReturnType<typeof serveConnector>>;
let person: Awaited<ReturnType<typeof newWorkspace>>;
let tableId = "";

beforeAll(async () => {
  service = await serveConnector();
  person = await newWorkspace();
  tableId = await publishTwoRows("gauges");
});

afterAll(async () => {
  await service.close();
  await closeReadingEngine();
});

const at = (path = "", bearer?: string) => ({ connector: `${service.url}${path}`, bearer });
const factsOf = (path = "", bearer?: string): Facts => ({
  base: baseUrl(),
  origin: baseUrl(),
  connector: `${baseUrl()}/api/mcp${path}`,
  form: bearer === undefined ? undefined : credentialForm(bearer),
});

const agent = (resource = `${baseUrl()}/api/mcp`) =>
  connectAgent({ userId: person.userId, workspaceId: person.workspaceId, resource });
const own = async (bearer: string, path = "") =>
  verdictOf("own", [await callTool(at(path, bearer), "list_connected_datasets")], factsOf(path, bearer));

describe("replies of the service", () => {
  test("without an account, all are what a client needs", async () => {
    const facts = factsOf();
    const verdicts = [
      verdictOf("address", [await send({ asked: "open", method: "GET", address: at().connector })], facts),
      verdictOf("origin", [await message(at(), "ping", "ping")], facts),
      verdictOf("handshakes", await handshakes(at()), facts),
      verdictOf("tools", [await message(at(), "tools/list", "tools/list")], facts),
      verdictOf("rows", [await callTool(at(), "sample_rows", { table_id: tableId })], facts),
      verdictOf("rejection", [await callTool(at(), "query_table", { table_id: tableId })], facts),
    ];
    expect(verdicts.map(({ isGood }) => isGood)).toEqual(verdicts.map(() => true));
    expect(verdicts[2]?.message).toBe("All 5 versions of the protocol, from 2024-11-05 to 2026-07-28.");
    expect(verdicts[4]?.message).toContain("returned 2 rows of gauges");
  });

  test("rows without citation are not a success", async () => {
    const exchange = await callTool(at(), "sample_rows", { table_id: tableId });
    const { citation: _, ...rest } = structured(exchange);
    const without = { ...exchange, body: { result: { structuredContent: rest } } };
    expect(verdictOf("rows", [without], factsOf()).isGood).toBe(false);
  });

  test("at the account URL a rejection is right, and an answer is wrong", async () => {
    const rejected = await message(at("/account"), "ping", "ping");
    expect(verdictOf("origin", [rejected], factsOf("/account")).isGood).toBe(true);
    expect(verdictOf("origin", [rejected], factsOf()).message).toContain("without a challenge that names");
    expect(verdictOf("rejection", [await message(at(), "ping", "ping")], factsOf()).message).toContain("returned 200");
  });

  test("to keys say what each is", async () => {
    expect(await own(await liveKey())).toMatchObject({
      isGood: true,
      message: expect.stringContaining("no dataset is connected to the workspace."),
    });
    expect(await own(newKey("use"))).toMatchObject({
      isGood: false,
      message: expect.stringContaining("Unknown key: it is well formed"),
    });
    const { revoked, expired } = await deadKeys();
    expect((await own(revoked)).message).toBe("This key was revoked.");
    expect((await own(expired)).message).toBe("This key has expired.");
  });

  test("to tokens say whether they have expired, were ended, or belong to another URL or service", async () => {
    const { access, id } = await agent();
    expect((await own(access)).isGood).toBe(true);
    expect(await own(access, "/account")).toMatchObject({
      isGood: false,
      message: `This credential is valid only for ${baseUrl()}/api/mcp.`,
    });
    await expireToken(access);
    expect((await own(access)).message).toBe("This access token has expired. Access tokens are valid for one hour.");
    await endConnection(id);
    expect((await own(access)).message).toContain("This connection was revoked");
    expect((await own(newKey("cli"))).message).toBe("This token was not issued by this server.");
    expect((await own(`svc_oat_${"x".repeat(43)}`)).message).toBe("This token was not issued by this server.");
  });

  test("to one call too many include the waiting time", async () => {
    const minute = () => Math.floor(Date.now() / 60_000);
    for (let began = -1, ended = 0; began !== ended; ) {
      began = minute();
      const key = await liveKey();
      for (let call = 0; call < LOOKUPS_MINUTE; call++) await own(key);
      const last = await own(key);
      ended = minute(); // calls in two minutes are counted separately, so they are repeated
      if (began === ended)
        expect(last).toMatchObject({
          isGood: false,
          message: "Too many calls this minute.",
          fix: expect.stringMatching(/^Test again in \d+ seconds\.$/),
        });
    }
  });

  test("to pages of another origin say where to test, or that something rewrites it", async () => {
    const foreign = await message(at(), "ping", "ping", {}, { origin: "https://other.example" });
    expect(verdictOf("origin", [foreign], { ...factsOf(), origin: "https://other.example" })).toMatchObject({
      message: expect.stringContaining("You opened this page at https://other.example"),
      fix: expect.stringContaining(`Open ${baseUrl()}/docs/connect`),
    });
    expect(verdictOf("origin", [foreign], factsOf()).message).toContain("rewrites");
  });
});

describe("with an intermediary", () => {
  let proxy: Server;
  let behave: (headers: Record<string, string>) => { status: number; type: string; body: string } | undefined = () =>
    undefined;

  beforeAll(async () => {
    proxy = createServer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      const headers = Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
      const instead = behave(headers);
      if (instead)
        return void res
          .writeHead(instead.status, { "content-type": instead.type, location: "/elsewhere" })
          .end(instead.body);
      for (const name of ["connection", "content-length", "transfer-encoding", "expect"]) delete headers[name];
      const reply = await fetch(service.url, { method: "POST", headers, body: Buffer.concat(chunks) });
      res
        .writeHead(reply.status, {
          "content-type": "application/json",
          "x-request-id": reply.headers.get("x-request-id") ?? "",
        })
        .end(await reply.text());
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => proxy.close());

  const through = (bearer?: string) => ({
    connector: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/api/mcp`,
    bearer,
  });
  const page =
    (status: number, body = "<!doctype html><title>Checking your browser</title>") =>
    () => ({ status, type: "text/html", body });

  test("a proxy that removes Authorization is distinguished from a missing key", async () => {
    const key = await liveKey();
    behave = (headers) => void delete headers.authorization;
    const verdict = verdictOf("own", [await callTool(through(key), "list_connected_datasets")], factsOf("", key));
    expect(verdict.message).toContain("did not arrive");
    expect(verdict.fix).toBe("Configure the proxy to forward Authorization.");
  });

  test(
    "a challenge that is taken away, pages in the service's place, redirects and a proxy without a service are " +
      "told",
    async () => {
      const ask = async () => message(through(), "ping", "ping");
      behave = () => undefined;
      expect(
        verdictOf("rejection", [await callTool(through(), "list_connected_datasets")], factsOf()).message,
      ).toContain("without a challenge");
      behave = page(403);
      expect(verdictOf("origin", [await ask()], factsOf()).message).toBe(
        "Something other than the service responded, with 403 and text/html.",
      );
      behave = page(502);
      expect(verdictOf("origin", [await ask()], factsOf()).message).toBe(
        "A proxy returned 502: it could not reach the service.",
      );
      behave = page(200);
      expect(verdictOf("tools", [await ask()], factsOf()).message).toContain(
        "Something other than the service responded",
      );
    },
  );

  test("a closed port is reported", async () => {
    const exchange = await message({ connector: "http://127.0.0.1:9/api/mcp" }, "ping", "ping");
    expect(verdictOf("address", [exchange], factsOf()).message).toContain("No response from /api/mcp");
  });
});

describe("pasted text", () => {
  const key = newKey("use");

  test.each([
    [key, "use"],
    [`  Authorization: Bearer ${key}\n`, "use"],
    [`export PARQUETRY_KEY="${key}"`, "use"],
    [`${key.slice(0, 12)}${key[12] === "a" ? "b" : "a"}${key.slice(13)}`, "typo"],
    [key.slice(0, -1), "cut"],
    [newKey("live"), "live"],
    [newKey("cli"), "cli"],
    [`svc_oat_${"a".repeat(43)}`, "access"],
    [`svc_ort_${"a".repeat(43)}`, "refresh"],
    [`svc_oac_${"a".repeat(43)}`, "code"],
    ["sk-something-else", "foreign"],
    ["", "empty"],
  ] as const)("%# is recognised by its format", (pasted, form) => {
    expect(credentialForm(bareCredential(pasted))).toBe(form);
  });

  test("credentials that cannot work are rejected before they are sent, each with its own message", () => {
    const unsent = {
      asked: "",
      method: "",
      path: "",
      withCredential: false,
      status: 0,
      ms: 0,
      headers: {},
      body: {},
      excerpt: "",
    };
    const words = (["live", "refresh", "code", "client", "typo", "cut", "foreign", "empty"] as const).map(
      (form) => verdictOf("credential", [unsent], { ...factsOf(), form }).message,
    );
    expect(new Set(words).size).toBe(words.length);
  });
});
