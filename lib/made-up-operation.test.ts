import { describe, expect, test } from "vitest";
import { z } from "zod";
import { doorOf, handle, serves } from "./door/handle";
import { insideContext } from "./http/context";
import { plainResponse } from "./http/deferred-body";
import { openApiDocument } from "./openapi/document";
import { execute } from "./operations/execute";
import { operation } from "./operations/operation";
import { OPERATIONS } from "./operations/registry";
import { useTestState } from "./testing/database";

useTestState();

describe("a made-up operation is known from its object and one line of the registry", () => {
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
      body: z.strictObject({ loud: z.boolean() }),
    },
    output: z.strictObject({ said: z.array(z.string()) }),
    async run({ path, query, body }) {
      const said: string = body.loud ? path.word.toUpperCase() : path.word;
      return { said: Array.from({ length: query.times }, () => said) };
    },
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

  test("over HTTP it answers, checks its input and has its methods", async () => {
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

  test("from inside it runs with its types inferred", async () => {
    const { said } = await execute(
      echo,
      { path: { word: "hey" }, query: { times: 1 }, body: { loud: false } },
      insideContext(),
    );
    expect(said).toEqual(["hey"]);
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
