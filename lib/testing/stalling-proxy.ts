import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A TCP proxy in front of a service that can stall or cut downloads after a number of bytes. */
export class StallingProxy {
  /** What happens, once, to the next connection whose reply has more bytes than this. */
  next: { bytes: number; action: "stall" | "cut" } | undefined;
  /** The heads of all requests, in lower case. */
  readonly heads: string[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {}

  static async start(port: number): Promise<StallingProxy> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const proxy = new StallingProxy(server, port);
    server.on("connection", (client) => proxy.carry(client));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private carry(client: Socket): void {
    const upstream = connect(this.port, "127.0.0.1");
    let passed = 0;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      this.sockets.add(socket);
      socket.on("error", end).on("close", end);
    }
    client.on("data", (chunk) => {
      this.heads.push(chunk.toString("latin1").toLowerCase());
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      passed += chunk.length;
      client.write(chunk);
      if (!this.next || passed <= this.next.bytes) return;
      const { action } = this.next;
      this.next = undefined;
      if (action === "stall") upstream.pause();
      else end();
    });
  }
}
