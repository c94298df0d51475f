import type { IncomingMessage, ServerResponse } from "node:http";
import type { IncomingFile } from "./incoming-body";
import { hasBody } from "./request-head";
import { whenOver } from "./when-over";

/**
 * The request as a web `Request`. Its body is read only as far as the handler reads it. Its signal aborts if the client
 * disconnects before the reply.
 */
export function webRequest(req: IncomingMessage, res: ServerResponse, file?: IncomingFile): Request {
  const gone = new AbortController();
  whenOver(req, res, () => {
    if (!res.writableFinished) gone.abort();
  });
  const { method = "GET" } = req;
  const takesBody = method !== "GET" && method !== "HEAD" && hasBody(req);
  return new Request(`http://localhost${req.url}`, {
    method,
    headers: webHeaders(req),
    signal: gone.signal,
    ...(takesBody && { body: bodyOf(req, file), duplex: "half" }),
  });
}

function webHeaders({ headers }: IncomingMessage): Headers {
  const web = new Headers();
  for (const [name, value] of Object.entries(headers)) for (const line of [value ?? []].flat()) web.append(name, line);
  return web;
}

/** Touches the request only when the body is read. An unread body is left to Node, which drops it after the reply. */
function bodyOf(req: IncomingMessage, file: IncomingFile | undefined): ReadableStream<Uint8Array> {
  let chunks: AsyncIterator<Buffer> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!chunks) file?.onRead();
        chunks ??= req[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
        const { done, value } = await (file ? file.pace.next(chunks) : chunks.next());
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}
