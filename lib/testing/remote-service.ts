import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, vi } from "vitest";

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

/**
 * Gives the test file a service that answers the command line as each test specifies, since the real one neither
 * misbehaves nor has a faster clock; and gives each test a computer without credentials. Call at its top.
 */
export function useRemoteService() {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-remote-"));
  let home = "";
  let server: Server;
  const remote = {
    url: "",
    /** Its answers; a string body is sent unchanged. */
    answers: (_path: string, _sent: string, _request: IncomingMessage): Answer => ({ status: 404, body: "" }),
    /** Where the command line keeps its credentials. */
    credentialsFile: () => join(home, "parquetry", "credentials.json"),
    /** The service's OAuth metadata. */
    metadata: () => ({
      issuer: remote.url,
      token_endpoint: `${remote.url}/token`,
      revocation_endpoint: `${remote.url}/revoke`,
      introspection_endpoint: `${remote.url}/introspect`,
      device_authorization_endpoint: `${remote.url}/device_authorization`,
    }),
  };
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const sent = Buffer.concat(chunks).toString();
      const { status = 200, headers = {}, body } = remote.answers(request.url ?? "", sent, request);
      response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    remote.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    home = mkdtempSync(join(folder, "home-"));
    vi.stubEnv("XDG_CONFIG_HOME", home);
  });
  afterAll(() => {
    server.close();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return remote;
}
