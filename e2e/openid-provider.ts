import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { Server } from "node:http";
import Provider from "oidc-provider";
import { portOf } from "./ports";

/** Who is signed in at the provider, and what it says about them. */
export interface Account {
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
  groups?: unknown;
}

type Claims = Record<string, unknown>;

/** How an ID token is changed on its way: its claims, and the key that signs it instead of the provider's. */
export interface Tampering {
  claims?: (claims: Claims) => Claims;
  key?: KeyObject;
}

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const jwk = { ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256" };

/** A key that the provider does not publish. */
export const foreignKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

/** A real OpenID Connect provider, at which somebody is signed in and has agreed to everything. */
export class OpenIdProvider {
  readonly issuer = `http://localhost:${portOf("openid provider")}`;
  readonly clientId = "parquetry";
  readonly clientSecret = createHash("sha256").update(`client ${process.pid}`).digest("hex");
  account: Account = { sub: "nobody", email: "", email_verified: false, name: "" };
  tampering: Tampering | undefined;
  #server: Server | undefined;

  /** `redirectUris`: where the service at test is sent back to. */
  constructor(private readonly redirectUris: string[]) {}

  async start(): Promise<void> {
    const provider = new Provider(this.issuer, {
      clients: [{ client_id: this.clientId, client_secret: this.clientSecret, redirect_uris: this.redirectUris }],
      jwks: { keys: [jwk as never] },
      cookies: { keys: [this.clientSecret] },
      scopes: ["openid", "email", "profile"],
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups", "_claim_names"] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...this.account, sub }) }),
      async loadExistingGrant({ oidc }) {
        const grant = new provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
        grant.addOIDCScope("openid email profile");
        await grant.save();
        return grant;
      },
    });
    provider.use(async (ctx, next) => {
      if (ctx.path.startsWith("/interaction/")) {
        const result = { login: { accountId: this.account.sub } };
        await provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: false });
        ctx.respond = false;
        return;
      }
      // at each sign-in, as whoever is signed in then
      if (ctx.path === "/auth") ctx.cookies.set("_session", null);
      if (ctx.path === "/auth") ctx.req.headers.cookie = "";
      await next();
      if (ctx.path === "/token" && this.tampering) tamper(ctx.body as { id_token?: string }, this.tampering);
    });
    this.#server = provider.listen(portOf("openid provider"));
    await new Promise((resolve) => this.#server?.once("listening", resolve));
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    if (server) await new Promise((resolve) => server.close(resolve));
  }
}

function tamper(body: { id_token?: string }, { claims = (same) => same, key = privateKey }: Tampering): void {
  const [head = "", payload = ""] = (body.id_token ?? "").split(".");
  if (payload === "") return;
  const changed = claims(JSON.parse(Buffer.from(payload, "base64url").toString()));
  const text = `${head}.${Buffer.from(JSON.stringify(changed)).toString("base64url")}`;
  body.id_token = `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
}
