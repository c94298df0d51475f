import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect } from "vitest";
import { baseUrl } from "@/lib/kernel/env";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { database } from "@/lib/store/postgres/database";
import { closeJobs } from "@/lib/store/runs/jobs";
import { stageWith } from "@/lib/worker/runs/run-stage";
import { startWorker } from "@/lib/worker/worker";
import { connectAgent } from "./agent";
import { serveConnector } from "./connector-server";
import { sandboxProgram } from "./sandbox-program";
import { expectTyped } from "./typed-reply";
import { newWorkspace } from "./workspace";

/** A real client of a person who may build, in their own paid workspace. Every reply has to fit its tool's schema. */
export async function connectBuilder() {
  const { workspaceId, userId } = await newWorkspace();
  const { prisma } = await database();
  await prisma.workspace.update({ where: { id: workspaceId }, data: { plan: "paid" } });
  const served = await serveConnector();
  const scopes = ["datasets:read", "datasets:build"];
  const { access } = await connectAgent({ userId, workspaceId, resource: `${baseUrl()}/api/mcp`, scopes });
  const client = new TypedClient({ name: "builder", version: "1" });
  const headers = { authorization: `Bearer ${access}` };
  await client.connect(new StreamableHTTPClientTransport(served.url, { requestInit: { headers } }));
  const close = async (): Promise<void> => {
    await client.close();
    await closeJobs();
    await served.close();
    await closeReadingEngine();
  };
  return { workspaceId, userId, client, access, service: served.url.origin, close };
}

/** The library's client, which knows only what the list of tools has of the schemas. */
class TypedClient extends Client {
  override async callTool(...asked: Parameters<Client["callTool"]>): ReturnType<Client["callTool"]> {
    const reply = await super.callTool(...asked);
    if (!reply.isError) expectTyped(asked[0].name, reply.structuredContent);
    return reply;
  }
}

/** A builder with a worker and the real sandbox; `errors` collects the worker's unexpected errors. */
export async function startBuilder() {
  const builder = await connectBuilder();
  const errors: unknown[] = [];
  const program = await sandboxProgram();
  const worker = await startWorker({
    stage: stageWith(program),
    program,
    onError: (error) => errors.push(error),
  });
  /** Ends everything, and expects that the worker had no errors. */
  const close = async (): Promise<void> => {
    await worker.stop();
    await builder.close();
    expect(errors).toEqual([]);
  };
  return { ...builder, errors, close };
}

export type Builder = Awaited<ReturnType<typeof startBuilder>>;

/**
 * Gives the test file a builder with a worker from its first test on, and closes it after the last one, before the
 * sources that it reads. Call at the top of a file, after its state.
 */
export function useBuilder(sources: { close(): void }): () => Builder {
  let builder: Builder | undefined;
  beforeAll(async () => {
    builder = await startBuilder();
  }, 90_000);
  afterAll(async () => {
    await builder?.close();
    sources.close();
  });
  return () => {
    if (!builder) throw new Error("the builder has not started yet");
    return builder;
  };
}
