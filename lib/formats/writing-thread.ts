// the program of the page writer's thread, which writes one page at a time
import { parentPort } from "node:worker_threads";
import { Failure } from "@/lib/kernel/errors";
import { lowerOwnThread } from "@/lib/kernel/thread-priority";
import { PAGE_FORMATS, SHEET_ROWS } from "./page-formats";
import type { PageRows } from "./page-rows";

/** A page to write. */
export interface WritingJob {
  media: string;
  page: PageRows;
  wideAsText: boolean;
}

/** The page's bytes, why it cannot be written in that format, or what went wrong. */
export type WritingReply =
  | { bytes: Uint8Array<ArrayBuffer> }
  | { failure: Pick<Failure, "code" | "fact" | "message" | "faults"> }
  | { error: unknown };

lowerOwnThread();
parentPort?.on("message", async (job: WritingJob) => {
  const reply = await write(job).catch(asReply);
  parentPort?.postMessage(reply, "bytes" in reply ? [reply.bytes.buffer] : []);
});

async function write({ media, page, wideAsText }: WritingJob): Promise<WritingReply> {
  const format = [...PAGE_FORMATS, SHEET_ROWS].find((known) => known.media === media);
  if (!format) throw new Error(`There is no format ${media}`);
  return { bytes: withOwnMemory(await format.write(page, wideAsText)) };
}

/** Memory that can be transferred: a small Buffer shares its memory with others. */
const withOwnMemory = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? new Uint8Array(bytes.buffer)
    : new Uint8Array(bytes);

function asReply(error: unknown): WritingReply {
  if (!(error instanceof Failure)) return { error };
  const { code, fact, message, faults } = error;
  return { failure: { code, fact, message, faults } };
}
