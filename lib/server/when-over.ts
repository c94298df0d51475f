import type { IncomingMessage, ServerResponse } from "node:http";

/** Each pipelined request on a connection adds a listener. */
const LISTENERS_MAX = 200;

/**
 * Calls `done` once: when the response has ended, or its connection is gone. A pipelined response whose connection ends
 * before its turn never emits `close`, nor does one whose first write comes after the client disconnected.
 */
export function whenOver(req: IncomingMessage, res: ServerResponse, done: () => void): void {
  const { socket } = req;
  if (res.closed || socket.destroyed) {
    done();
    return;
  }
  let isOver = false;
  const over = () => {
    if (isOver) return; // the connection's end ends the response: both call
    isOver = true;
    res.off("close", over);
    socket.off("close", over);
    done();
  };
  if (socket.getMaxListeners() < LISTENERS_MAX) socket.setMaxListeners(LISTENERS_MAX);
  res.once("close", over);
  socket.once("close", over);
}
