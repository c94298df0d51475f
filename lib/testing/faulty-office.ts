import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What an office does when it is read. */
export const OFFICE_DEEDS = [
  "new_rows",
  "no_answer",
  "other_bytes",
  "same",
  "not_found",
  "server_error",
  "wrong_bytes",
  "truncated",
  "other_columns",
  "wrong_values",
] as const;
export type OfficeDeed = (typeof OFFICE_DEEDS)[number];

const GAUGES = 3;
const FIRST_ROWS = 5;

/** The rows of an office's table after a number of changes. */
export const officeRows = (office: number, edition: number): readonly (readonly [string, string, string])[] =>
  Array.from({ length: FIRST_ROWS + edition }, (_, at) => [
    ...[`${at}`, `gauge ${at % GAUGES}`, `${(at * 31 + edition * 7 + office) % 1009}`],
  ]) as unknown as readonly (readonly [string, string, string])[];

/** The sum of the levels of each gauge. */
export function officeSums(office: number, edition: number): Map<string, string> {
  const sums = new Map<string, number>();
  for (const [, gauge, level] of officeRows(office, edition)) sums.set(gauge, (sums.get(gauge) ?? 0) + Number(level));
  return new Map([...sums].map(([gauge, sum]) => [gauge, String(sum)]));
}

/** An office on a loopback port that publishes a table, but often fails to. */
export class FaultyOffice {
  /** How often the table has changed. */
  edition = 0;
  /** Its current behaviour. */
  deed: OfficeDeed = "same";
  /** Requests since this behaviour began. */
  requests = 0;
  /** Distinguishes the bytes of one occasion from those of the others. */
  private occasion = 0;

  private constructor(
    private readonly at: number,
    private readonly server: Server,
  ) {}

  static async open(at: number): Promise<FaultyOffice> {
    const server = createServer((request, reply) => office.answer(request, reply));
    const office = new FaultyOffice(at, server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return office;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Changes its behaviour from now on. */
  begin(deed: OfficeDeed, occasion: number): void {
    Object.assign(this, { deed, occasion, requests: 0 });
    if (deed === "new_rows") this.edition += 1;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private answer(request: IncomingMessage, reply: ServerResponse): void {
    this.requests += 1;
    const text = this.text();
    const etag = `"${this.deed === "other_bytes" ? this.occasion : "edition"}-${this.edition}"`;
    switch (this.deed) {
      case "no_answer":
        return;
      case "not_found":
        return void reply.writeHead(404).end();
      case "server_error": // so long that nobody waits for it
        return void reply.writeHead(500, { "retry-after": "3600" }).end();
      case "wrong_bytes":
        return void reply.writeHead(200, { "content-type": "text/html" }).end(signInPage(this.occasion));
      case "truncated":
        reply.writeHead(200, { "content-length": text.length * 2 }).write(text, () => reply.destroy());
        return;
      case "other_columns":
        return void reply.writeHead(200).end(text.replace("level", `level_${this.occasion}`));
      case "wrong_values":
        return void reply.writeHead(200).end(`${text}9${this.occasion},gauge 0,-1\n`);
      default:
        if (request.headers["if-none-match"] === etag) return void reply.writeHead(304).end();
        return void reply.writeHead(200, { etag }).end(text);
    }
  }

  private text(): string {
    const rows = officeRows(this.at, this.edition);
    const quoted = this.occasion % rows.length;
    const line = (row: readonly string[], at: number) =>
      this.deed === "other_bytes" && at === quoted ? row.map((cell) => `"${cell}"`).join(",") : row.join(",");
    return `id,gauge,level\n${rows.map((row, at) => `${line(row, at)}\n`).join("")}`;
  }
}

const signInPage = (occasion: number): string =>
  `<!doctype html><html><head><title>Sign in</title></head><body>Session ${occasion} has ended.</body></html>\n`;
