import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";

/** What a client asks for, and what the reply must be. */
export interface Question {
  kind: string;
  method: "GET" | "POST";
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** What is wrong with a reply of 200; undefined for nothing. */
  fault(bytes: Buffer, headers: IncomingMessage["headers"]): string | undefined;
}

/** A reply, or a request without one, as its client saw it. Times are those of `performance.now()`. */
export interface Seen {
  kind: string;
  beganMs: number;
  endedMs: number;
  /** The status, or the status and the error's code, or how the reply was cut, or what is wrong with it. */
  outcome: string;
  /** Whether a reply other than 200 says when to try again. */
  saysWhen: boolean;
}

/** Clients that ask one question after another, and list what they saw. */
export class RecordingClients {
  readonly seen: Seen[] = [];
  readonly #agent: Agent;
  readonly #clients: Promise<void>[];
  #isOver = false;

  /** `questions` returns the next question of a client; each client asks at the URL of its place. */
  constructor(urls: readonly string[], clients: number, questions: (asked: number) => Question) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: clients });
    let asked = 0;
    this.#clients = Array.from({ length: clients }, async (_, place) => {
      const url = urls[place % urls.length] ?? "";
      while (!this.#isOver) {
        asked += 1;
        this.seen.push(await this.#ask(url, questions(asked)));
      }
    });
  }

  /** Ends the clients once their last replies have arrived; what all of them saw. */
  async end(): Promise<readonly Seen[]> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    this.#agent.destroy();
    return this.seen;
  }

  async #ask(url: string, { kind, method, path, headers, body, fault }: Question): Promise<Seen> {
    const beganMs = performance.now();
    const seen = (outcome: string, saysWhen = false): Seen => {
      return { kind, beganMs, endedMs: performance.now(), outcome, saysWhen };
    };
    try {
      const sent = request(`${url}${path}`, { method, agent: this.#agent, ...(headers && { headers }) });
      const replied = once(sent, "response") as Promise<[IncomingMessage]>;
      sent.end(body);
      const [reply] = await replied;
      const bytes = await buffer(reply);
      if (reply.statusCode !== 200) return seen(rejection(reply, bytes), reply.headers["retry-after"] !== undefined);
      const wrong = fault(bytes, reply.headers);
      return seen(wrong === undefined ? "200" : `wrong: ${wrong}`);
    } catch (error) {
      return seen(`cut: ${(error as Error).message}`);
    }
  }
}

function rejection({ statusCode, headers }: IncomingMessage, bytes: Buffer): string {
  const isJson = headers["content-type"]?.includes("json") === true;
  return isJson ? `${statusCode} ${JSON.parse(bytes.toString()).error}` : String(statusCode);
}

/** How many of each outcome. */
export function outcomesOf(seen: readonly Seen[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of seen) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
