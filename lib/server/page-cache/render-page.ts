import { once } from "node:events";
import { type IncomingHttpHeaders, IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Duplex } from "node:stream";

export type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void> | void;

export interface RenderedReply {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/** Other readers wait for a page that is being rendered, but no longer than for one that counts as failed anyway. */
const PATIENCE_MS = 60_000;

/**
 * The framework's answer to a request of our own, which no client's disconnecting ends. The framework knows only the
 * `headers` about its reader.
 */
export async function renderPage(handle: Handler, url: string, headers: IncomingHttpHeaders): Promise<RenderedReply> {
  const req = new IncomingMessage(new Socket());
  Object.assign(req, { method: "GET", url, headers, httpVersion: "1.1", httpVersionMajor: 1, httpVersionMinor: 1 });
  req.push(null);
  const res = new ServerResponse(req);
  const chunks = collectBody(res);
  res.assignSocket(new Nowhere() as unknown as Socket);
  const over = once(res, "finish", { signal: AbortSignal.timeout(PATIENCE_MS) });
  await Promise.all([handle(req, res), over]);
  return { status: res.statusCode, headers: res.getHeaders(), body: Buffer.concat(chunks) };
}

/** A connection that accepts what is written for a client and sends it nowhere. */
class Nowhere extends Duplex {
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }
  override _read(): void {}
}

/** Collects the bytes of a body as they are written, before chunked encoding. */
function collectBody(res: ServerResponse): Buffer[] {
  const chunks: Buffer[] = [];
  const { write, end } = res;
  const collect = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === "string")
      chunks.push(Buffer.from(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8"));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  Object.assign(res, {
    write: (...args: Parameters<typeof write>) => {
      collect(args[0], args[1]);
      write.apply(res, args);
      return true; // there is no slow reader, and only real sockets emit "drain"
    },
    end: (...args: Parameters<typeof end>) => {
      collect(args[0], args[1]);
      return end.apply(res, args);
    },
  });
  return chunks;
}
