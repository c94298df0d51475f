import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { whenOver } from "./when-over";

let server: Server | undefined;
afterEach(() => server?.close());

/** A server that passes each request to `handle`, and a connection to it. */
async function connection(handle: (req: IncomingMessage, res: ServerResponse) => void) {
  server = createServer(handle).listen(0);
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port);
  await once(socket, "connect");
  return socket;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test("a pipelined response whose connection ends before its turn counts as over, once", async () => {
  const over: string[] = [];
  const socket = await connection((req, res) => {
    whenOver(req, res, () => over.push(req.url ?? ""));
    if (req.url === "/second") socket.destroy();
  });
  socket.write(get("/first") + get("/second"));
  await expect.poll(() => over.toSorted()).toEqual(["/first", "/second"]);
});

test("a response that is counted after its client disconnected is over immediately", async () => {
  const counted = Promise.withResolvers<boolean>();
  const socket = await connection((req, res) => {
    req.socket.once("close", () =>
      setImmediate(() => {
        let isOver = false;
        whenOver(req, res, () => {
          isOver = true;
        });
        counted.resolve(isOver);
      }),
    );
    socket.destroy();
  });
  socket.write(get("/"));
  expect(await counted.promise).toBe(true);
});

test("responses of one connection that ended normally leave no listener on it", async () => {
  const listeners: number[] = [];
  let over = 0;
  const socket = await connection((req, res) => {
    listeners.push(req.socket.listenerCount("close"));
    whenOver(req, res, () => {
      over += 1;
    });
    res.end("ok");
  });
  for (let at = 1; at <= 3; at += 1) {
    socket.write(get("/"));
    await expect.poll(() => over).toBe(at);
  }
  expect(new Set(listeners).size).toBe(1);
});
