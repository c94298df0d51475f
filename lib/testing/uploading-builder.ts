import { createHash, randomUUID } from "node:crypto";
import { expect } from "vitest";
import { baseUrl } from "@/lib/kernel/env";
import { database } from "@/lib/store/postgres/database";
import { signedInDevice } from "./device";
import { sessionCookie } from "./signed-in";
import { newWorkspace } from "./workspace";

/** Sends a request to one instance of the service. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** Retries if the service is busy, or the database has not responded in time, as a client does on a busy machine. */
export const patient =
  (of: Ask): Ask =>
  async (path, init) => {
    for (;;) {
      const reply = await of(path, init);
      if (reply.status !== 503) return reply;
      await reply.body?.cancel();
    }
  };

/** The file that a builder uploads, and its rows. */
export const UPLOADED = "gauge;level\nA;1\nB;2\nC;3\n";
export const UPLOADED_ROWS = [
  { gauge: "A", level: 1 },
  { gauge: "B", level: 2 },
  { gauge: "C", level: 3 },
];

/** A recipe that reads the file by the name of its upload. */
export const uploadRecipe = (upload: string) => ({
  schema_version: "service-recipe.v1",
  sources: [{ name: "file", kind: "upload", upload, reader: { format: "csv", options: { delimiter: ";" } } }],
  tables: [
    {
      name: "levels",
      from: "file",
      steps: [{ step: "cast", columns: { level: "int32" } }],
      columns: [
        { name: "gauge", type: "string" },
        { name: "level", type: "int32" },
      ],
      primary_key: ["gauge"],
    },
  ],
  publish: { license: "CC0-1.0", publisher: { name: "Office of levels" } },
});

/** A person who may build, and how their browser and their computer call the API of several instances. */
export class UploadingBuilder {
  private constructor(
    readonly workspaceId: string,
    readonly userId: string,
    readonly terminal: Readonly<Record<string, string>>,
    readonly browser: Readonly<Record<string, string>>,
  ) {}

  static async create(): Promise<UploadingBuilder> {
    const { workspaceId, userId } = await newWorkspace();
    const { prisma } = await database();
    await prisma.workspace.update({ where: { id: workspaceId }, data: { plan: "paid" } });
    const scope = "datasets:read datasets:build";
    const terminal = { "x-api-key": await signedInDevice(baseUrl(), { userId, workspaceId }, { scope }) };
    const browser = { cookie: await sessionCookie(userId), origin: new URL(baseUrl()).origin };
    return new UploadingBuilder(workspaceId, userId, terminal, browser);
  }

  get path(): string {
    return `/api/v2/build/workspaces/${this.workspaceId}`;
  }

  /** Sends bytes of the file as a part, or without a place requests how much has arrived. */
  async sendPart(of: Ask, place?: [number, number]) {
    const headers = {
      ...this.terminal,
      "content-range": `bytes ${place ? `${place[0]}-${place[1] - 1}` : "*"}/${UPLOADED.length}`,
      "repr-digest": `sha-256=:${createHash("sha256").update(UPLOADED).digest("base64")}:`,
    };
    const init = { method: "PUT", headers, ...(place && { body: UPLOADED.slice(...place) }) };
    const reply = await of(`${this.path}/uploads/levels`, init);
    return { status: reply.status, json: (await reply.json()) as { held_bytes?: number; outcome?: string } };
  }

  /** Uploads the file in parts that reach the instances in turn; their statuses. */
  async uploadInTurn(instances: readonly [Ask, Ask]): Promise<number[]> {
    const statuses: number[] = [];
    const ends = [5, 12, 20, UPLOADED.length];
    for (const [at, end] of ends.entries()) {
      const instance = instances[at % 2 === 0 ? 0 : 1];
      statuses.push((await this.sendPart(instance, [ends[at - 1] ?? 0, end])).status);
    }
    return statuses;
  }

  /** Calls the API as the person's browser does. Fails unless it succeeds. */
  // biome-ignore lint/suspicious/noExplicitAny: replies of several operations
  async call(of: Ask, path: string, body?: unknown): Promise<any> {
    const headers = { ...this.browser, "content-type": "application/json" };
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const reply = await patient(of)(`${this.path}${path}`, init);
    const json = await reply.json();
    expect([path, reply.ok, reply.ok ? "" : json]).toEqual([path, true, ""]);
    return json;
  }

  /** Plans a run over the uploaded file in calls that reach the instances in turn; its sample. */
  async sample([one, two]: readonly [Ask, Ask]) {
    const { dataset } = await this.call(one, "/datasets", { title: `Levels ${randomUUID()}` });
    const { run } = await this.call(two, `/datasets/${dataset.slug}/recipe`, {
      recipe: uploadRecipe("levels"),
      start: true,
    });
    const confirmed = await this.call(one, `/runs/${run.run_id}/confirm`, { wait_ms: 20_000 });
    const built = await this.untilAtRest(two, confirmed, ["queued", "running", "sampling"]);
    expect([built.state, built.failure ?? null]).toEqual(["awaiting_approval", null]);
    return { dataset: dataset.slug as string, run: await this.call(one, `/runs/${run.run_id}`) };
  }

  /** Waits as long as a run is in one of these states. */
  // biome-ignore lint/suspicious/noExplicitAny: replies of several operations
  async untilAtRest(of: Ask, run: any, moving: readonly string[]): Promise<any> {
    let seen = run;
    while (moving.includes(seen.state))
      seen = await this.call(of, `/runs/${seen.run_id}?wait_ms=20000&known_state=${seen.state}`);
    return seen;
  }
}
