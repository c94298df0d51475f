import { Agent, type IncomingHttpHeaders, request } from "node:http";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** From the request's first byte to the reply's last. */
  ms: number;
}

export interface Query {
  tableId: string;
  body: object;
  /** The form of the page; JSON if absent. */
  accept?: string;
}

/** A keep-alive client of one service. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 128 });

  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.#send("GET", path, headers);
  }

  /** Sends text; resolves whatever the status. */
  post(path: string, text: string): Promise<Answer> {
    return this.#send("POST", path, {}, text);
  }

  /** Queries with the use key; resolves whatever the status. */
  query({ tableId, body, accept = "application/json" }: Query): Promise<Answer> {
    const headers = { "x-api-key": this.key, accept };
    return this.#send("POST", `/api/v2/public/tables/${tableId}/query`, headers, body);
  }

  /** Queries without a key; resolves whatever the status. */
  queryAnonymously({ tableId, body }: Query): Promise<Answer> {
    return this.#send("POST", `/api/public/tables/${tableId}/query`, {}, body);
  }

  /** Downloads to the end, discarding the bytes; resolves with the duration in milliseconds. */
  async download(url: string, headers: Readonly<Record<string, string>>, expectedBytes: number): Promise<number> {
    const startedAt = performance.now();
    const bytes = await new Promise<number>((resolve, reject) => {
      const req = request(url, { agent: this.#agent, headers }, (res) => {
        let seen = 0;
        res.on("data", (chunk: Buffer) => {
          seen += chunk.length;
        });
        res.once("end", () => resolve(seen)).once("error", reject);
      });
      req.once("error", reject).end();
    });
    if (bytes !== expectedBytes) throw new Error(`${url} sent ${bytes} bytes instead of ${expectedBytes}`);
    return performance.now() - startedAt;
  }

  get downloadHeaders(): Record<string, string> {
    return { "x-api-key": this.key };
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: object | string,
  ): Promise<Answer> {
    const text = typeof body === "object" ? JSON.stringify(body) : body;
    const typed = text
      ? { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(text) }
      : headers;
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const req = request(this.url + path, { method, agent: this.#agent, headers: typed }, (res) => {
        const chunks: Buffer[] = [];
        res.on("data", (chunk: Buffer) => chunks.push(chunk));
        res.once("error", reject);
        res.once("end", () =>
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            body: Buffer.concat(chunks),
            ms: performance.now() - startedAt,
          }),
        );
      });
      req.once("error", reject).end(text);
    });
  }
}

interface Page {
  rows: Record<string, unknown>[];
  next_cursor: string | null;
}

/** The parsed reply of a query that must succeed. */
export function pageOf(answer: Answer): Page {
  if (answer.status !== 200)
    throw new Error(`A query answered ${answer.status}: ${answer.body.toString().slice(0, 500)}`);
  return JSON.parse(answer.body.toString()) as Page;
}
