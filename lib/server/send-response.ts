import type { ServerResponse } from "node:http";
import { type DeferredBody, discardBody, takeDeferredBody } from "@/lib/http/deferred-body";

/**
 * Writes a web response: its head here, its body with `send`, which sets Content-Length. Does nothing if a reply was
 * already sent.
 */
export async function sendResponse(
  res: ServerResponse,
  response: Response,
  send: (body: DeferredBody) => Promise<void>,
): Promise<void> {
  const body = takeDeferredBody(response) ?? (await wholeBody(response));
  if (res.destroyed || res.headersSent || res.writableEnded) {
    if (body) await discardBody(body);
    return;
  }
  res.statusCode = response.status;
  for (const [name, value] of response.headers) if (name !== "set-cookie") res.setHeader(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) res.setHeader("set-cookie", cookies);
  if (body) await send(body);
  else res.end();
}

async function wholeBody(response: Response): Promise<DeferredBody | undefined> {
  return response.body ? { kind: "bytes", bytes: new Uint8Array(await response.arrayBuffer()) } : undefined;
}
