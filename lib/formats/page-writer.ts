import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Caller } from "@/lib/engine/duckdb/engine";
import { Admission } from "@/lib/kernel/admission";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { processWide } from "@/lib/kernel/process-wide";
import type { WrittenFormat } from "./page-formats";
import type { PageRows } from "./page-rows";
import type { WritingJob, WritingReply } from "./writing-thread";

/** Pages up to this size are written immediately, in a few milliseconds in the slowest format. */
const SMALL_BYTES = 16 * 1024;
/** Maximum size of the JSON of all pages that are waiting or being written. */
const HELD_BYTES_MAX = 64 * 1024 * 1024;

interface Writing {
  format: WrittenFormat;
  page: PageRows;
  /** Numbers that a double may not hold are strings. */
  wideAsText: boolean;
}

/**
 * Writes pages in a thread, one at a time and each caller in turn, so that no other requests wait: a workbook of 10,000
 * rows takes a third of a second. Waiting pages are bounded in time and memory.
 */
export class PageWriter {
  readonly #turns: Admission;
  #thread: Worker | undefined;
  #heldBytes = 0;

  /** `program`: the thread's compiled program. Without one (in a Next bundle), everything is written in place. */
  constructor(
    private readonly program: string | undefined,
    queueMs: number,
    private readonly heldBytesMax = HELD_BYTES_MAX,
  ) {
    this.#turns = new Admission({ slots: 1, queueMs });
  }

  /** The page's bytes. Throws what the format throws, `busy`, or the signal's reason. */
  async write({ format, page, wideAsText }: Writing, { subject = "service", signal }: Caller): Promise<Uint8Array> {
    const { program } = this;
    const bytes = sizeOf(page.rowParts);
    if (bytes <= SMALL_BYTES || program === undefined) return await format.write(page, wideAsText);
    if (this.#heldBytes + bytes > this.heldBytesMax) throw fail("busy", { retryAfterSeconds: 1 });
    this.#heldBytes += bytes;
    try {
      const job = { media: format.media, page, wideAsText };
      return await this.#turns.run(subject, () => this.#writeInThread(program, job), signal);
    } finally {
      this.#heldBytes -= bytes;
    }
  }

  /** Ends the thread; the next page starts another. */
  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  async #writeInThread(program: string, { page, ...job }: WritingJob): Promise<Uint8Array> {
    const thread = this.#running(program);
    const rows = joined(page.rowParts); // a copy, since cached pages are read again
    const { columns, returnedRows, source, before = 0 } = page;
    thread.ref(); // a command that waits for nothing else must not exit before the reply
    thread.postMessage({ ...job, page: { columns, returnedRows, source, before, rowParts: [rows] } }, [rows.buffer]);
    const ended = new AbortController();
    try {
      return bytesOf(await Promise.race([reply(thread, ended.signal), failed(thread, ended.signal)]));
    } finally {
      ended.abort();
      thread.unref();
    }
  }

  #running(program: string): Worker {
    if (this.#thread) return this.#thread;
    // without this process's loaders, which it would start again, and without its environment, which it does not need
    const thread = new Worker(program, { execArgv: [], env: {} });
    thread.on("error", () => undefined); // `exit` follows
    thread.once("exit", () => {
      this.#thread = undefined;
    });
    this.#thread = thread;
    return thread;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(sizeOf(parts));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

const sizeOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, part) => sum + part.byteLength, 0);

async function reply(thread: Worker, signal: AbortSignal): Promise<WritingReply> {
  const [message] = (await once(thread, "message", { signal })) as [WritingReply];
  return message;
}

async function failed(thread: Worker, signal: AbortSignal): Promise<never> {
  await once(thread, "exit", { signal });
  throw new Error("The thread that writes pages ended");
}

function bytesOf(reply: WritingReply): Uint8Array {
  if ("bytes" in reply) return reply.bytes;
  if ("error" in reply) throw reply.error;
  const { code, fact, message, faults } = reply.failure;
  const fix = message.startsWith(`${fact} `) ? message.slice(fact.length + 1) : undefined;
  throw fail(code, { message: fact, faults, ...(fix !== undefined && { fix }) });
}

/** The process's page writer. */
export function pageWriter(): PageWriter {
  return processWide("page-writer", () => {
    const program = join(import.meta.dirname, "writing-thread.js");
    return new PageWriter(existsSync(program) ? program : undefined, env().QUERY_QUEUE_MS);
  });
}
