import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { UnauthorizedError as OldUnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, type Page } from "@playwright/test";
import { DIRECT_VERSION } from "@/lib/mcp/protocol-versions";
import type { CallbackServer } from "./callback-server";
import { used } from "./used-secrets";

/** The two libraries that clients are built on. */
export const LIBRARIES = ["@modelcontextprotocol/client 2.x", "@modelcontextprotocol/sdk 1.x"] as const;
export type Library = (typeof LIBRARIES)[number];

type Saved = Awaited<ReturnType<OAuthClientProvider["tokens"]>>;

/** The programs under test: each library as it is, and the newer one at the protocol version without a handshake. */
export const PROGRAMS = [
  { library: LIBRARIES[0], version: undefined },
  { library: LIBRARIES[1], version: undefined },
  { library: LIBRARIES[0], version: DIRECT_VERSION },
] as const satisfies readonly { library: Library; version: string | undefined }[];

/** An agent's memory between its calls. */
class Keeper implements OAuthClientProvider {
  /** The URL to which it wants to send its person's browser. */
  asked: URL | undefined;
  saved: Saved;
  information: Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>;
  private verifier = "";
  private discovery: Awaited<ReturnType<NonNullable<OAuthClientProvider["discoveryState"]>>>;

  constructor(readonly redirectUrl: string) {}

  get clientMetadata() {
    return { client_name: "Real agent", redirect_uris: [this.redirectUrl], token_endpoint_auth_method: "none" };
  }
  clientInformation() {
    return this.information;
  }
  saveClientInformation(information: NonNullable<Keeper["information"]>) {
    this.information = information;
  }
  tokens() {
    return this.saved;
  }
  saveTokens(tokens: NonNullable<Saved>) {
    used(tokens.access_token, "an agent's access_token");
    used(tokens.refresh_token ?? "", "an agent's refresh_token");
    this.saved = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.asked = url;
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
  saveDiscoveryState(discovery: NonNullable<Keeper["discovery"]>) {
    this.discovery = discovery;
  }
  discoveryState() {
    return this.discovery;
  }
  invalidateCredentials(what: string) {
    if (what === "all" || what === "tokens") this.saved = undefined;
  }
}

/** An agent that knows only the connector's URL. Its library finds out the rest. */
export class RealAgent {
  readonly keeper: Keeper;
  private client!: Client | OldClient;
  private transport!: StreamableHTTPClientTransport | OldTransport;

  constructor(
    private readonly library: Library,
    private readonly address: string,
    private readonly callback: CallbackServer,
  ) {
    this.keeper = new Keeper(callback.address);
  }

  /**
   * Connects at a protocol version, or at the library's own choice; with a use key instead of what its person allows,
   * if one is given.
   */
  async connect(version?: string, key?: string): Promise<void> {
    const credential =
      key === undefined
        ? { authProvider: this.keeper }
        : { requestInit: { headers: { authorization: `Bearer ${key}` } } };
    const isDirect = version === DIRECT_VERSION;
    const options = { ...credential, ...(version !== undefined && !isDirect && { fetch: atVersion(version) }) };
    if (this.library === LIBRARIES[0]) {
      this.transport = new StreamableHTTPClientTransport(new URL(this.address), options);
      this.client = new Client(
        { name: "real-agent", version: "1" },
        isDirect ? { versionNegotiation: { mode: { pin: version } } } : {},
      );
      await this.client.connect(this.transport);
    } else {
      this.transport = new OldTransport(new URL(this.address), options as never);
      this.client = new OldClient({ name: "real-agent", version: "1" });
      await this.client.connect(this.transport as never);
    }
  }

  /** The names of all tools. The library checks results against the schemas that it reads here. */
  async tools(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  async call(name: string, args: Record<string, unknown> = {}) {
    const result = await this.client.callTool({ name, arguments: args });
    const [first] = result.content as { text?: string }[];
    return { isError: result.isError ?? false, structured: result.structuredContent, text: first?.text ?? "" };
  }

  /** Expects the library to give up until its person has answered. Returns where it sends them. */
  async expectSignIn(attempt: () => Promise<unknown>): Promise<URL> {
    this.keeper.asked = undefined;
    const thrown = await attempt().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(thrown instanceof UnauthorizedError || thrown instanceof OldUnauthorizedError).toBe(true);
    expect(this.keeper.asked).toBeDefined();
    return this.keeper.asked as unknown as URL;
  }

  /** The person allows the request, and the program exchanges its code. Returns the answer. */
  async allow(page: Page, asked: URL): Promise<URLSearchParams> {
    const answer = await this.answered(page, asked, "Allow");
    await this.finish(answer);
    return answer;
  }

  /** The answer when the person presses a button of the consent page. */
  async answered(page: Page, asked: URL, button: string): Promise<URLSearchParams> {
    await page.goto(asked.href);
    await page.getByRole("button", { name: button, exact: true }).click();
    const answer = await this.callback.answer();
    // otherwise this page interrupts the next one that opens
    await page.waitForURL((url) => url.pathname === "/callback");
    return answer;
  }

  /** The library exchanges the code in an answer. */
  async finish(answer: URLSearchParams): Promise<void> {
    if (this.transport instanceof StreamableHTTPClientTransport) await this.transport.finishAuth(answer);
    else await this.transport.finishAuth(answer.get("code") ?? "");
  }

  forgetRefreshToken(): void {
    if (this.keeper.saved) this.keeper.saved = { access_token: this.keeper.saved.access_token, token_type: "Bearer" };
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

/**
 * Libraries request their newest version, so the handshake is rewritten on its way, and the version in the reply is
 * checked.
 */
function atVersion(version: string): typeof fetch {
  return async (input, init) => {
    const isHandshake = typeof init?.body === "string" && init.body.includes('"initialize"');
    const body = isHandshake
      ? String(init.body).replace(/"protocolVersion":"[^"]+"/, `"protocolVersion":"${version}"`)
      : undefined;
    const reply = await fetch(input, { ...init, ...(body !== undefined && { body }) });
    if (isHandshake) expect((await reply.clone().json()).result.protocolVersion).toBe(version);
    return reply;
  };
}
