import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { processWide } from "@/lib/kernel/process-wide";
import { HASH_WORKER } from "./hash-worker";

interface Answer {
  id: number;
  digest?: string;
  /** An errno, or SHORT if the file ended before the requested bytes. */
  code?: string;
}

type Waiter = (answer: Answer) => void;

/** SHA-256 off the event loop, where 0.6 ms per MiB would delay thousands of small replies. */
class HashThread {
  /**
   * Started without this process's loaders, which it would start again, and without its environment, which it does not
   * need.
   */
  readonly #worker = new Worker(HASH_WORKER, { eval: true, execArgv: [], env: {} });
  readonly #waiting = new Map<number, Waiter[]>();
  #exited = false;
  #asked = 0;
  load = 0;

  constructor(onExit: () => void) {
    this.#worker.on("message", (answer: Answer) => this.#waiting.get(answer.id)?.shift()?.(answer));
    this.#worker.on("error", () => undefined); // 'exit' follows
    this.#worker.on("exit", () => {
      this.#exited = true;
      onExit();
      for (const [id, waiters] of this.#waiting) for (const waiter of waiters) waiter({ id, code: "EIO" });
    });
    this.#worker.unref(); // after the listeners: from Node 24 on, listening keeps the process alive again
  }

  /** Replies for one id arrive in the order of its jobs. */
  async ask(job: { id: number } & Record<string, unknown>): Promise<Answer> {
    if (this.#exited) return { id: job.id, code: "EIO" };
    if (this.#asked === 0) this.#worker.ref(); // a command with nothing else to wait for must not exit before the reply
    this.#asked += 1;
    try {
      return await this.#answerTo(job);
    } finally {
      this.#asked -= 1;
      if (this.#asked === 0) this.#worker.unref();
    }
  }

  #answerTo(job: { id: number } & Record<string, unknown>): Promise<Answer> {
    return new Promise((resolve) => {
      const waiters = this.#waiting.get(job.id) ?? [];
      waiters.push(resolve);
      this.#waiting.set(job.id, waiters);
      this.tell(job);
    });
  }

  tell(job: { id: number } & Record<string, unknown>): void {
    this.#worker.postMessage(job);
  }

  began(): void {
    this.load += 1;
  }

  ended(id: number): void {
    this.load -= 1;
    this.#waiting.delete(id);
  }
}

const THREADS_MAX = Math.min(2, availableParallelism());

interface Pool {
  threads: HashThread[];
  lastId: number;
}

const pool = () => processWide<Pool>("hash-threads", () => ({ threads: [], lastId: 0 }));

/** The least loaded thread. More are started only while all are busy. */
function thread(): HashThread {
  const { threads } = pool();
  const idle = threads.toSorted((a, b) => a.load - b.load)[0];
  if (idle && (idle.load === 0 || threads.length >= THREADS_MAX)) return idle;
  const started: HashThread = new HashThread(() => threads.splice(threads.indexOf(started), 1));
  threads.push(started);
  return started;
}

function newId(): number {
  const state = pool();
  state.lastId += 1;
  return state.lastId;
}

/**
 * Hex SHA-256 of a file's first bytes. Settles only after the thread has released the descriptor, so the descriptor may
 * then be closed; an abort only makes that happen sooner. Rejects with an error whose `code` is an errno or SHORT.
 */
export async function digestOfFile(fd: number, bytes: number, signal: AbortSignal): Promise<string> {
  const id = newId();
  const worker = thread();
  const stop = () => worker.tell({ id, stop: true });
  signal.addEventListener("abort", stop, { once: true });
  worker.began();
  const { digest, code } = await worker.ask({ id, fd, bytes });
  worker.ended(id);
  signal.removeEventListener("abort", stop);
  if (digest === undefined) throw Object.assign(new Error("the file could not be hashed"), { code });
  return digest;
}

/** A buffer that a hash thread reads without copying. */
export const sharedBuffer = (bytes: number): Buffer => Buffer.from(new SharedArrayBuffer(bytes));

/** A hash fed with shared buffers. Each buffer may be changed once its `update` has settled. */
export class ThreadHash {
  readonly #id = newId();
  readonly #thread = thread();

  constructor() {
    this.#thread.began();
  }

  async update(chunk: Buffer): Promise<void> {
    const { code } = await this.#thread.ask({ id: this.#id, chunk });
    if (code !== undefined) throw new Error(`hashing failed: ${code}`);
  }

  async digest(): Promise<string> {
    const { digest } = await this.#thread.ask({ id: this.#id, end: true });
    if (digest === undefined) throw new Error("hashing failed");
    return digest;
  }

  /** Must always be called in the end, whether or not the digest was requested. */
  release(): void {
    this.#thread.tell({ id: this.#id, drop: true });
    this.#thread.ended(this.#id);
  }
}
