import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { used } from "./used-secrets";

/** The URL on a person's machine at which a program receives the answer to its request. */
export class CallbackServer {
  readonly answers: URL[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<CallbackServer> {
    const server = createServer((req, res) => {
      const url = new URL(req.url ?? "", "http://127.0.0.1");
      if (url.pathname === "/callback") callback.answers.push(url); // browsers also request an icon
      res.setHeader("content-type", "text/html").end("<!doctype html><title>Done</title><p>You can close this page.");
    });
    const callback = new CallbackServer(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return callback;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/callback`;
  }

  /** The latest answer. */
  async answer(): Promise<URLSearchParams> {
    await expect.poll(() => this.answers.length).toBeGreaterThan(0);
    const parameters = this.answers.pop()?.searchParams ?? new URLSearchParams();
    used(parameters.get("code") ?? "", "an authorization code");
    return parameters;
  }

  stop(): void {
    this.server.close();
  }
}
