import { secretTexts } from "./credential";
import { EchoGuard } from "./echo-guard";
import { follow, type SourceCall } from "./follow";
import { appendBody, BodyFile, type BodyLimits } from "./read-body";
import { inTurn, type ReadingContext } from "./read-source";
import { SourceFailure } from "./source-failure";

export interface TailReading extends SourceCall {
  path: string;
  /** How many of the last bytes to read. */
  bytes: number;
  idleMs: BodyLimits["idleMs"];
  /** Entity tag of the head that was read. A file that has changed since then has a different one. */
  etag: string | null;
}

/** Reads the last bytes of a file into another. False if the server does not support ranges, or the file changed. */
export function readTail(reading: TailReading, context: ReadingContext): Promise<boolean> {
  return inTurn(reading.url, context, () => readBytes(reading, context));
}

async function readBytes(reading: TailReading, context: ReadingContext): Promise<boolean> {
  const { bytes, path, etag, credential } = reading;
  const file = await BodyFile.create(path, context.onBytes);
  try {
    const own = { accept: "*/*", "accept-encoding": "identity", range: `bytes=-${bytes}` };
    const { reply } = await follow({ ...reading, own }, context.connecting, context.signal);
    const isPart = reply.statusCode === 206 && (reply.headers.etag ?? null) === etag;
    if (!isPart) {
      reply.destroy();
      return false;
    }
    const guard = new EchoGuard(credential ? secretTexts(credential) : []);
    await appendBody(reply, file, { bytes, idleMs: reading.idleMs, mayCut: false }, guard);
    await file.finish();
    return true;
  } catch (error) {
    if (error instanceof SourceFailure && error.code === "secret_echoed") throw error;
    return false; // if the tail is not available, reading the head still succeeded
  } finally {
    await file.drop();
  }
}
