import { access, mkdtemp, rm } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type ReadingContext, readSource, type SourceReading } from "@/lib/sources/read-source";
import { SourceFailure } from "@/lib/sources/source-failure";
import { type SourceServer, startSource } from "./source-server";

/** The default limits of readings. */
export const READING_LIMITS = { bytes: 1_000_000, idleMs: 60_000, mayCut: false, seconds: 600 };

/** Gives the test file a source on loopback and a reader into a folder that never waits. Call at its top. */
export function useSourceReader() {
  let folder = "";
  const reader = {
    server: {} as SourceServer,
    /** Requested waits since the test began, in milliseconds. */
    waits: [] as number[],
    /** Where the body is written. */
    path: () => join(folder, "body"),
    read: (more: Partial<SourceReading> = {}, context: Partial<ReadingContext> = {}) =>
      readSource(
        { url: `${reader.server.origin}/data.csv`, path: reader.path(), limits: READING_LIMITS, ...more },
        {
          connecting: reader.server.connecting(),
          signal: new AbortController().signal,
          wait: async (ms) => void reader.waits.push(ms),
          turn: async () => async () => undefined,
          ...context,
        },
      ),
    /** The failure of a reading that must fail and leave no file. */
    async failureOf(running: Promise<unknown>): Promise<SourceFailure> {
      const failure = await running.catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(SourceFailure);
      await expect(access(reader.path())).rejects.toThrow();
      return failure as SourceFailure;
    },
  };
  beforeAll(async () => {
    reader.server = await startSource();
    folder = await mkdtemp(join(tmpdir(), "read-source-"));
  });
  beforeEach(() => {
    reader.server.asked.length = 0;
    reader.waits = [];
  });
  afterAll(async () => {
    await reader.server.close();
    await rm(folder, { recursive: true, force: true });
  });
  return reader;
}

/** Answers with a body. */
export const sends =
  (body: string | Buffer, headers: Record<string, string> = {}): RequestListener =>
  (_request, reply) =>
    void reply.writeHead(200, headers).end(body);
