import { constants, fstatSync, openSync, writeSync } from "node:fs";

const WAITING_BYTES = 1024 * 1024;
const RETRY_MS = 100;
/** How long the last lines may keep the process from ending. */
const LAST_MS = 1_000;

/**
 * Writes lines to a file descriptor, in order and at once, and neither waits for it nor fails with it: what it does not
 * take (a full disk, a reader that stands still) waits, up to 1 MiB; the lines after that are dropped and counted.
 */
export class LogOutput {
  private readonly fd: number;
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private dropped = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly onDropped: (lines: number) => void;

  /** `onDropped` is told how many lines were dropped, once lines are taken again. */
  constructor(fd: number, onDropped: (lines: number) => void) {
    this.fd = withoutWaiting(fd);
    this.onDropped = onDropped;
    process.once("exit", () => this.finish());
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.waitingBytes + bytes.length > WAITING_BYTES) {
      this.dropped += 1;
      return;
    }
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    if (this.timer === undefined) this.send();
  }

  private send(): void {
    this.timer = undefined;
    while (this.waiting.length > 0) {
      const bytes = Buffer.concat(this.waiting, this.waitingBytes);
      const written = this.attempt(bytes);
      this.waiting = written < bytes.length ? [bytes.subarray(written)] : [];
      this.waitingBytes = bytes.length - written;
      if (written > 0) continue;
      this.timer = setTimeout(() => this.send(), RETRY_MS).unref();
      return;
    }
    if (this.dropped === 0) return;
    const lines = this.dropped;
    this.dropped = 0;
    this.onDropped(lines);
  }

  private finish(): void {
    const sleeping = new Int32Array(new SharedArrayBuffer(4));
    const untilMs = performance.now() + LAST_MS;
    for (this.send(); this.waiting.length > 0 && performance.now() < untilMs; this.send())
      Atomics.wait(sleeping, 0, 0, RETRY_MS / 10);
  }

  private attempt(bytes: Buffer): number {
    try {
      return writeSync(this.fd, bytes);
    } catch {
      return 0;
    }
  }
}

/**
 * Keeps a program running whose standard output or error cannot be written: a full disk under its log, or a reader that
 * is gone. Without a listener, Node ends the process.
 */
export function outliveOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/** The same pipe, with a state of its own: a write returns at once if the reader stands still. */
function withoutWaiting(fd: number): number {
  try {
    if (fstatSync(fd).isFIFO()) return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // not on this platform
  }
  return fd;
}
