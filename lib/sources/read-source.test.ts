import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { sends, useSourceReader } from "@/lib/testing/source-reader";
import { startSource } from "@/lib/testing/source-server";
import type { SourceCredential } from "./credential";

const source = useSourceReader();
const { read, failureOf } = source;

test("a file is read with its digest, validators and type", async () => {
  source.server.answer(sends("a,b\n1,2\n", { etag: '"v1"', "content-type": "text/csv", "last-modified": "x" }));
  const found = await read({ url: `${source.server.origin}/data.csv?k=v#part` });
  expect(found).toMatchObject({
    outcome: "read",
    bytes: 8,
    etag: '"v1"',
    lastModified: "x",
    mediaType: "text/csv",
    finalAddress: `${source.server.origin}/data.csv`,
    digest: createHash("sha256").update("a,b\n1,2\n").digest("hex"),
  });
  expect(await readFile(source.path(), "utf8")).toBe("a,b\n1,2\n");
  expect(source.server.asked[0]).toMatchObject({
    url: "/data.csv?k=v",
    headers: { "user-agent": "Parquetry/test", "accept-encoding": "identity" },
  });
});

test("a conditional read that finds nothing new says so", async () => {
  source.server.answer(
    (request, reply) => void reply.writeHead(request.headers["if-none-match"] === '"v1"' ? 304 : 200).end(),
  );
  expect(await read({ validators: { etag: '"v1"', lastModified: null } })).toMatchObject({
    outcome: "not_modified",
    digest: null,
  });
});

test("the turn at a host ends with the request, also if its file cannot be written", async () => {
  source.server.answer(sends("a"));
  const turns = { begun: 0, ended: 0 };
  const turn = async () => {
    turns.begun += 1;
    return async () => {
      turns.ended += 1;
    };
  };
  await read({}, { turn });
  await expect(read({ path: `${source.path()}/of/no/folder` }, { turn })).rejects.toThrow();
  expect(turns).toEqual({ begun: 2, ended: 2 });
});

describe("a credential", () => {
  const secret = "s3cr3t+value/of=the source";
  const credential = (more: Partial<SourceCredential> = {}): SourceCredential => ({
    name: "air-api",
    value: { kind: "header", field: "X-Api-Key", value: secret },
    hosts: ["127.0.0.1"],
    ...more,
  });

  test("is sent only to its own hosts", async () => {
    for (const hosts of [[], ["example.org"], ["*.0.0.1.example.org"]])
      expect((await failureOf(read({ credential: credential({ hosts }) }))).code).toBe("secret_host_refused");
    expect(source.server.asked).toEqual([]);
  });

  test("is sent as its kind says", async () => {
    source.server.answer(sends("a"));
    await read({ credential: credential() });
    await read({ credential: credential({ value: { kind: "query", field: "key", value: secret } }) });
    await read({ credential: credential({ value: { kind: "bearer", token: "token-of-the-source" } }) });
    await read({ credential: credential({ value: { kind: "basic", username: "u", password: "pass word" } }) });
    expect(source.server.asked.map(({ headers, url }) => [headers["x-api-key"] ?? headers.authorization, url])).toEqual(
      [
        [secret, "/data.csv"],
        [undefined, `/data.csv?${new URLSearchParams({ key: secret })}`],
        ["Bearer token-of-the-source", "/data.csv"],
        [`Basic ${Buffer.from("u:pass word").toString("base64")}`, "/data.csv"],
      ],
    );
  });

  test("is not sent to another origin that is not allowed, and neither are the recipe's headers", async () => {
    const other = await startSource();
    other.answer(sends("a"));
    source.server.answer((_request, reply) => void reply.writeHead(302, { location: `${other.origin}/x` }).end());
    const both = [...source.server.connecting().privateHosts, ...other.connecting().privateHosts];
    const connecting = source.server.connecting({ privateHosts: both });
    const opened = credential({ value: { kind: "query", field: "key", value: secret } });
    await read({ credential: { ...opened, hosts: ["127.0.0.1"] }, headers: { "x-own": "1" } }, { connecting });
    expect(other.asked[0]?.headers["x-own"]).toBeUndefined();
    await other.close();
  });

  const echoes: Record<string, string> = {
    plain: secret,
    percent: encodeURIComponent(secret),
    "base64, first alignment": Buffer.from(secret).toString("base64"),
    "base64, second": Buffer.from(`x${secret}yz`).toString("base64"),
    "base64, third": Buffer.from(`xy${secret}z`).toString("base64url"),
  };
  test.each(Object.entries(echoes))("that is echoed ends the read: %s", async (_name, echo) => {
    source.server.answer((_request, reply) => {
      const text = `you sent ${echo}, thanks`;
      reply.write(text.slice(0, 20), () => setImmediate(() => reply.end(text.slice(20))));
    });
    const failure = await failureOf(read({ credential: credential() }));
    expect(failure.code).toBe("secret_echoed");
    expect(failure.message).not.toContain(secret);
  });
});
