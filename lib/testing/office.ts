import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { type Builder, startBuilder } from "./builder";
import { useTestState } from "./database";
import { call as callOverHttp } from "./signed-in";

const FILE = "gauge;level\nA;1\nB;2\n";

/** A recipe of the office's file. */
export const levelsRecipe = (url: string) => ({
  schema_version: "service-recipe.v1",
  sources: [{ name: "office", kind: "http", url, reader: { format: "csv", options: { delimiter: ";" } } }],
  tables: [
    {
      name: "levels",
      from: "office",
      steps: [{ step: "parse", columns: ["level"], as: "int32" }] as Record<string, unknown>[],
      columns: [
        { name: "gauge", type: "string" },
        { name: "level", type: "int32", unit: "cm" },
      ] as object[],
      primary_key: ["gauge"],
      checks: [{ check: "range", column: "level", min: 0 }] as object[],
    } as Record<string, unknown> & { steps: Record<string, unknown>[]; columns: object[]; checks: object[] },
  ],
  publish: { license: "CC0-1.0", publisher: { name: "Office of levels" } } as Record<string, unknown>,
});
export type LevelsRecipe = ReturnType<typeof levelsRecipe>;

interface Office {
  file: string;
  requests: number;
  url: string;
  /** With an ETag, requests that name it in If-None-Match get 304. */
  etag: string | undefined;
  /** If-None-Match and status of each request. */
  answered: [string | undefined, number][];
}

/** Any reply, for inspection. */
// biome-ignore lint/suspicious/noExplicitAny: replies have many shapes, and each test says what it expects of them
type Reply = any;

/**
 * Gives the test file its own state, an office on loopback whose file may change, a worker, and a client of an agent
 * that may build. Call at its top, with await.
 */
export async function useOffice(settings: Record<string, string> = {}) {
  const office: Office = { file: FILE, requests: 0, url: "", etag: undefined, answered: [] };
  const server: Server = createServer((request, reply) => {
    office.requests += 1;
    const asked = request.headers["if-none-match"];
    const status = office.etag !== undefined && asked === office.etag ? 304 : 200;
    office.answered.push([asked, status]);
    reply.writeHead(status, { "content-type": "text/csv", ...(office.etag && { etag: office.etag }) });
    reply.end(status === 200 ? office.file : undefined);
  });
  const port = await new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
  );
  office.url = `http://127.0.0.1:${port}/levels.csv`;
  useTestState({ SOURCE_PRIVATE_HOSTS: `127.0.0.1:${port}`, ...settings });
  let builder: Builder;
  beforeAll(async () => {
    builder = await startBuilder();
  }, 60_000);
  afterAll(async () => {
    await builder?.close();
    server.close();
  });
  const call = async (name: string, args: Record<string, unknown>): Promise<Reply> => {
    const { structuredContent, content, isError } = await builder.client.callTool({ name, arguments: args });
    if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
    return structuredContent;
  };
  return {
    office,
    call,
    callOverHttp,
    get builder() {
      return builder;
    },
    /** The default recipe, changed. */
    recipe(change: (recipe: LevelsRecipe) => void = () => {}): LevelsRecipe {
      const recipe = levelsRecipe(office.url);
      change(recipe);
      return recipe;
    },
    /** A new dataset with this recipe, and its slug. */
    async register(title: string, recipe: LevelsRecipe): Promise<string> {
      const { dataset } = await call("create_dataset", { title });
      await call("register_recipe", { dataset: dataset.slug, recipe });
      return dataset.slug as string;
    },
    /** The sample of the newest revision. */
    async sample(dataset: string): Promise<Reply> {
      const { run_id } = await call("start_run", { dataset, confirm: true });
      return await rest(run_id);
    },
    rest,
  };

  /** A run once it no longer changes. */
  async function rest(run_id: string): Promise<Reply> {
    let run = await call("get_run", { run_id });
    while (run.poll_after_ms !== undefined)
      run = await call("get_run", { run_id, known_state: run.state, wait_ms: 20_000 });
    return run;
  }
}
