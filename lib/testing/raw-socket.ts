import { connect, type Socket } from "node:net";

/** Sends bytes as they are and returns all that comes back until the server closes, or until `quietMs` without any. */
export function exchange(
  url: string,
  parts: string | readonly string[],
  { quietMs = 300, pauseMs = 20 } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectTo(url);
    let received = "";
    let quiet: NodeJS.Timeout | undefined;
    const wait = () => {
      clearTimeout(quiet);
      quiet = setTimeout(() => socket.destroy(), quietMs);
    };
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      wait();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(quiet);
      resolve(received);
    });
    void write(socket, [parts].flat(), pauseMs).then(wait);
  });
}

export function connectTo(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname === "localhost" ? "127.0.0.1" : hostname);
}

async function write(socket: Socket, parts: readonly string[], pauseMs: number): Promise<void> {
  for (const part of parts) {
    if (socket.destroyed) return;
    socket.write(part, "latin1");
    await new Promise((resume) => setTimeout(resume, pauseMs));
  }
}

/** Status lines of all replies in what came back. */
export const statuses = (received: string): number[] =>
  [...received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((match) => Number(match[1]));
