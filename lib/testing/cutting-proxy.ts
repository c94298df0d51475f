import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * A TCP proxy in front of a PostgreSQL server on a port or socket. It cuts a connection at the first message that
 * contains a word, either before the server receives it or once the server has answered it.
 */
export class CuttingProxy {
  /** While set, connections are cut at this word. */
  cut: { word: string; when: "before" | "after" } | undefined;
  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  static async start(targetUrl: string): Promise<CuttingProxy> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const proxy = new CuttingProxy(server, new URL(targetUrl));
    server.on("connection", (client) => proxy.carry(client));
    return proxy;
  }

  get url(): string {
    const url = new URL(this.target);
    url.hostname = "127.0.0.1";
    url.port = String((this.server.address() as AddressInfo).port);
    url.search = "";
    return url.href;
  }

  async close(): Promise<void> {
    this.server.close();
  }

  private carry(client: Socket): void {
    const folder = this.target.searchParams.get("host");
    const upstream = folder
      ? connect(`${folder}/.s.PGSQL.${this.target.port}`)
      : connect(Number(this.target.port), this.target.hostname);
    let cutting = false;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    client.on("data", (chunk) => {
      const hit = this.cut && chunk.includes(this.cut.word);
      if (hit && this.cut?.when === "before") return end();
      cutting ||= hit ?? false;
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => (cutting ? end() : client.write(chunk)));
    for (const socket of [client, upstream]) socket.on("error", end).on("close", end);
  }
}
