import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { schemaExample } from "@/lib/docs/schema-example";
import { insideContext } from "@/lib/http/context";
import { baseUrl } from "@/lib/kernel/env";
import type { Failure } from "@/lib/kernel/errors";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";
import { sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { execute } from "./execute";
import { type AnyOperation, type InputSchemas, type RoutedOperation, schemasOf } from "./operation";
import { closeReadingEngine } from "./reading/reading-engine";
import { OPERATIONS, ROUTED } from "./registry";
import { readRawBody } from "./sources/raw-body";

const UNLIMITED = ["ACCOUNT_MINUTE", "CATALOGUE_MINUTE", "ADDRESS_MINUTE", "ADDRESS_DAY", "SIGN_UP_ADDRESS_MINUTE"];
useTestState(Object.fromEntries(UNLIMITED.map((name) => [`LIMIT_${name}`, "1000000"])));

let workspaceId = "";
let cookie = "";
beforeAll(async () => {
  const made = await newWorkspace();
  workspaceId = made.workspaceId;
  cookie = await sessionCookie(made.userId);
});
afterAll(closeReadingEngine);

const UNSTORABLE = { NUL: "a\0b", "half a character": "a\ud800b" };

type Path = readonly string[];
interface Given {
  path: unknown;
  query: unknown;
  body: unknown;
}

/** An input with a value for each member, as the documentation shows it. */
function exampleOf(operation: AnyOperation): Given {
  const { path, query, body } = schemasOf(operation);
  const named = schemaExample(path) as Record<string, unknown>;
  return {
    path: { ...named, ...("workspace_id" in named && { workspace_id: workspaceId }) },
    query: schemaExample(query),
    body: body && { ...(schemaExample(body) as object), ...operation.examples?.body },
  };
}

/** The places of all strings in a value, and of values that may be strings but are not in the example. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value === "string" || value === null) return [path];
  if (typeof value !== "object") return [];
  const inside = Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]));
  return inside.length === 0 ? [[...path, "any"]] : inside;
}

function withText(value: unknown, [name, ...rest]: Path, text: string): unknown {
  if (name === undefined) return text;
  if (Array.isArray(value)) return value.map((each, at) => (String(at) === name ? withText(each, rest, text) : each));
  const members = (value ?? {}) as Record<string, unknown>;
  return { ...members, [name]: withText(members[name], rest, text) };
}

/** The operation's example once for each string in it, with that string changed. */
const changed = (given: Given, text: string) =>
  leavesOf(given).map((at) => ({ at, given: withText(given, at, text) as Given }));

const isQuery = ({ input }: AnyOperation): boolean => "columns" in shapeOf((input as InputSchemas).rawBody);
const shapeOf = (schema: unknown): object => (schema as { shape?: object } | undefined)?.shape ?? {};

describe.each(Object.entries(UNSTORABLE))("%s in a string", (_what, text) => {
  test("is rejected in words by every operation, in every string of its input", async () => {
    const operator = { ...insideContext(), actor: { kind: "operator" as const } };
    let count = 0;
    for (const operation of OPERATIONS)
      for (const { at, given } of changed(exampleOf(operation), text)) {
        if (at[0] === "body" && operation.input.rawBody) continue; // below
        const rejection = await execute(operation, given as never, operator).catch((thrown: Failure) => thrown);
        const { code, faults } = rejection as Failure;
        expect([operation.name, at, code]).toEqual([operation.name, at, "invalid_value"]);
        expect(faults.map(({ pointer }) => pointer)).toEqual([`/${at.slice(1).join("/")}`]);
        expect(faults[0]?.message).toMatch(/contains .*Remove it\.$/);
        count += 1;
      }
    expect(count).toBeGreaterThan(OPERATIONS.length);
  });

  test("is rejected in a body that its operation reads itself, unless it is a query: nothing of it is stored", () => {
    const raw = OPERATIONS.filter((operation) => operation.input.rawBody && !isQuery(operation));
    expect(raw.map(({ name }) => name)).toEqual(["register_recipe", "propose_revision"]);
    for (const operation of raw)
      for (const { at, given } of changed(exampleOf(operation), text).filter(({ at: [part] }) => part === "body"))
        expect(() => readRawBody(operation.input.rawBody, given.body, ["recipe", "patch"])).toThrow(
          expect.objectContaining({ faults: [expect.objectContaining({ pointer: `/${at.slice(1).join("/")}` })] }),
        );
  });

  test("is never an internal error over HTTP, in paths, parameters and bodies", async () => {
    for (const operation of ROUTED)
      for (const { at, given } of changed(exampleOf(operation), text)) {
        if (at.join() === "path,any") continue; // its path has no parameters
        const { status, body } = await ask(operation, given);
        expect([operation.name, at, status < 500, body]).toEqual([operation.name, at, true, expect.anything()]);
      }
  });
});

/** Calls an operation with a person's session, from the service's own pages. */
async function ask(
  operation: RoutedOperation,
  { path, query, body }: Given,
): Promise<{ status: number; body: string }> {
  const { method } = operation.http;
  const parameters = Object.entries(query as object).filter(([, value]) => typeof value === "string");
  const request = new Request(`http://localhost/?${new URLSearchParams(parameters)}`, {
    method,
    headers: { origin: new URL(baseUrl()).origin, cookie, "content-type": "application/json" },
    ...(body !== undefined && method !== "GET" && { body: JSON.stringify(body) }),
  });
  const params = Object.fromEntries(Object.entries(path as object).map(([name, value]) => [name, String(value)]));
  const reply = await serve({ [method]: operation })[method](request, { params: Promise.resolve(params) });
  return { status: reply.status, body: await reply.text() };
}
