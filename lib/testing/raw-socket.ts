import { connect, type Socket } from "node:net";

interface Pace {
  /** Number of complete replies, including interim ones, to wait for unless the server closes first. */
  replies?: number;
  /** How long to listen afterwards for more, which should not arrive. */
  quietMs?: number;
  pauseMs?: number;
}

/** Sends raw bytes and returns everything received. */
export async function exchange(url: string, parts: string | readonly string[], pace: Pace = {}): Promise<string> {
  return (await converse(url, parts, pace)).received;
}

/** The same, with the number of parts sent before the end, and whether the server ended it. */
export function converse(
  url: string,
  parts: string | readonly string[],
  { replies = 1, quietMs = 300, pauseMs = 20 }: Pace = {},
): Promise<{ received: string; sent: number; closedByServer: boolean }> {
  return new Promise((resolve) => {
    const socket = connectTo(url);
    let received = "";
    let sent = 0;
    let quiet: NodeJS.Timeout | undefined;
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      clearTimeout(quiet);
      if (wholeReplies(received) >= replies) quiet = setTimeout(() => socket.destroy(), quietMs);
    });
    socket.on("error", () => undefined);
    let closedByServer = false;
    socket.on("end", () => {
      closedByServer = true;
    });
    socket.on("close", (hadError) => {
      clearTimeout(quiet);
      resolve({ received, sent, closedByServer: closedByServer || hadError });
    });
    void write(socket, [parts].flat(), pauseMs, () => {
      sent += 1;
    });
  });
}

/** Number of complete replies received, judged by their lengths or chunks, or without a body. */
function wholeReplies(received: string): number {
  let rest = received;
  for (let count = 0; ; count += 1) {
    const headEnd = rest.indexOf("\r\n\r\n") + 4;
    if (headEnd < 4) return count;
    const head = rest.slice(0, headEnd);
    const length = /^content-length: (\d+)\r$/im.exec(head)?.[1];
    const isChunked = /^transfer-encoding: chunked\r$/im.test(head);
    const end = isChunked ? rest.indexOf("0\r\n\r\n", headEnd) + 5 : headEnd + Number(length ?? 0);
    if (end < headEnd || end > rest.length) return count;
    rest = rest.slice(end);
  }
}

export function connectTo(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname === "localhost" ? "127.0.0.1" : hostname);
}

async function write(socket: Socket, parts: readonly string[], pauseMs: number, onSent: () => void): Promise<void> {
  for (const part of parts) {
    if (socket.destroyed) return;
    socket.write(part, "latin1");
    onSent();
    await new Promise((resume) => setTimeout(resume, pauseMs));
  }
}

/** Status codes of all replies received. */
export const statuses = (received: string): number[] =>
  [...received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((match) => Number(match[1]));
