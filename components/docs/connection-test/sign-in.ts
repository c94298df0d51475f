import { channelOf } from "./channel";
import { type Exchange, send } from "./exchange";
import { newProof, randomText } from "./proof";

const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Where the sign-in server redirects the person to. */
const ANSWER_PATH = "/oauth/test-answer";

interface Endpoints {
  authorization_endpoint: string;
  token_endpoint: string;
  registration_endpoint: string;
  revocation_endpoint: string;
}

interface Place {
  base: string;
  connector: string;
}

/**
 * Kept while the page is open, so that repeated tests do not register repeatedly; the service deletes unused clients.
 */
let registered: string | undefined;

/** The connection that the test makes for itself, like a client, and ends. All of its secrets remain in this object. */
export class TestConnection {
  private endpoints: Endpoints | undefined;
  private readonly state = randomText();
  private proof = "";
  private code = "";
  private refreshToken: string | undefined;
  accessToken: string | undefined;

  constructor(private readonly place: Place) {}

  /** Discovers where to register, authorize and exchange. */
  async discover(): Promise<Exchange> {
    const address = `${this.place.base}/.well-known/oauth-authorization-server`;
    return send({ asked: "authorization server", method: "GET", address }, (reply) => {
      this.endpoints = reply as Endpoints;
    });
  }

  async register(): Promise<Exchange[]> {
    if (registered) return [];
    const body = JSON.stringify({
      client_name: "Docs test",
      redirect_uris: [this.redirect],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
    });
    const headers = { "content-type": "application/json" };
    const asked = {
      asked: "register",
      method: "POST",
      address: this.at("registration_endpoint"),
      headers,
      body,
    } as const;
    return [await send(asked, (reply) => (registered = (reply as { client_id?: string } | undefined)?.client_id))];
  }

  /** The URL of the authorization request. */
  async question(): Promise<string> {
    const { verifier, challenge } = await newProof();
    this.proof = verifier;
    const parameters = {
      response_type: "code",
      client_id: registered ?? "",
      redirect_uri: this.redirect,
      scope: "datasets:read",
      state: this.state,
      code_challenge: challenge,
      code_challenge_method: "S256",
      resource: this.place.connector,
    };
    return `${this.at("authorization_endpoint")}?${new URLSearchParams(parameters)}`;
  }

  /** The person's response, validated as a client must: for this request, and from this service (RFC 9207). */
  answered(answer: URLSearchParams | undefined): Exchange {
    const isOurs = answer?.get("state") === this.state && answer.get("iss") === this.place.base;
    this.code = (isOurs && answer?.get("code")) || "";
    const error = !answer
      ? "stopped"
      : !isOurs
        ? "wrong_answer"
        : (answer.get("error") ?? (this.code === "" ? "wrong_answer" : undefined));
    const body = { ...(error && { error, message: answer?.get("error_description") ?? "" }) };
    return {
      asked: "your answer",
      method: "GET",
      path: "/oauth/authorize",
      withCredential: false,
      status: 302,
      ms: 0,
      headers: {},
      body,
      excerpt: "",
    };
  }

  exchangeCode = (): Promise<Exchange> =>
    this.tokens("exchange the code", {
      grant_type: "authorization_code",
      code: this.code,
      code_verifier: this.proof,
      redirect_uri: this.redirect,
    });

  refresh = (): Promise<Exchange> =>
    this.tokens("refresh", { grant_type: "refresh_token", refresh_token: this.refreshToken ?? "" });

  /** Ends only this connection; undefined if there is none to end. */
  async end(): Promise<Exchange | undefined> {
    const token = this.refreshToken;
    if (token === undefined) return undefined;
    this.refreshToken = undefined;
    const body = new URLSearchParams({
      client_id: registered ?? "",
      token,
      token_type_hint: "refresh_token",
    }).toString();
    return send({ asked: "revoke", method: "POST", address: this.at("revocation_endpoint"), headers: FORM, body });
  }

  /** The same when the page is closed, without waiting for the result. */
  endOnLeaving(): void {
    if (this.refreshToken === undefined) return;
    const body = new URLSearchParams({ client_id: registered ?? "", token: this.refreshToken });
    void fetch(this.at("revocation_endpoint"), { method: "POST", body, credentials: "omit", keepalive: true }).catch(
      () => undefined,
    );
  }

  private async tokens(asked: string, fields: Readonly<Record<string, string>>): Promise<Exchange> {
    const body = new URLSearchParams({
      ...fields,
      client_id: registered ?? "",
      resource: this.place.connector,
    }).toString();
    const exchange = await send(
      { asked, method: "POST", address: this.at("token_endpoint"), headers: FORM, body },
      (reply) => {
        const { access_token: access, refresh_token: refresh } = (reply ?? {}) as {
          access_token?: string;
          refresh_token?: string;
        };
        if (access) this.accessToken = access;
        if (refresh) this.refreshToken = refresh;
      },
    );
    if (exchange.status === 401) registered = undefined; // deleted by the service: the next test registers again
    return exchange;
  }

  private get redirect(): string {
    return `${this.place.base}${ANSWER_PATH}`;
  }

  private at(endpoint: keyof Endpoints): string {
    return this.endpoints?.[endpoint] ?? "";
  }

  /** The channel on which the page that the person returns to reports the response. */
  get channel(): string {
    return channelOf(this.state);
  }
}
