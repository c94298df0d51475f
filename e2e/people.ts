import { randomBytes } from "node:crypto";
import { parquetryBeside } from "./service";

const PORT = process.env.PORT ?? "4173";

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: replies of many shapes, which the tests inspect
  json: any;
}

/** A person with a browser's cookies, who only uses HTTP. */
export class Person {
  readonly email: string;
  readonly password: string;
  readonly base: string;
  readonly #cookies = new Map<string, { value: string; httpOnly: boolean }>();

  constructor(
    email: string,
    { password = `pw ${randomBytes(12).toString("base64url")}`, base = `http://localhost:${PORT}` } = {},
  ) {
    this.email = email;
    this.password = password;
    this.base = base;
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, { value }]) => `${name}=${value}`).join("; ");
  }

  /** The cookies in the form that a browser takes. */
  get browserCookies() {
    return [...this.#cookies].map(([name, cookie]) => ({ name, ...cookie, url: this.base }));
  }

  /** A call as the service's own pages make it. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const isForm = body instanceof URLSearchParams;
    const reply = await fetch(`${this.base}${path}`, {
      method,
      redirect: "manual",
      headers: {
        origin: this.base,
        ...(this.#cookies.size > 0 && { cookie: this.cookie }),
        ...(body !== undefined && !isForm && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    for (const line of reply.headers.getSetCookie()) this.keep(line);
    const text = await reply.text();
    return {
      status: reply.status,
      headers: reply.headers,
      json: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text,
    };
  }

  /** Stores a cookie from a Set-Cookie line. */
  keep(line: string): void {
    const [pair = "", ...rest] = line.split(";");
    const at = pair.indexOf("=");
    const value = pair.slice(at + 1);
    if (value === "" || rest.some((part) => /^\s*max-age=0$/i.test(part))) this.#cookies.delete(pair.slice(0, at));
    else this.#cookies.set(pair.slice(0, at), { value, httpOnly: rest.some((part) => /^\s*httponly$/i.test(part)) });
  }

  async signUp(): Promise<this> {
    const { status } = await this.call("POST", "/api/account/sign-up", { email: this.email, password: this.password });
    if (status !== 202) throw new Error(`signing up answered ${status}`);
    return this.signIn();
  }

  async signIn(): Promise<this> {
    const { status } = await this.trySignIn(this.password);
    if (status !== 200) throw new Error(`signing in answered ${status}`);
    return this;
  }

  /** The reply to an attempt to sign in. */
  async trySignIn(password: string): Promise<Answer> {
    const { json } = await this.call("GET", "/api/auth/csrf");
    const form = new URLSearchParams({ csrfToken: json.csrfToken, email: this.email, password, json: "true" });
    return this.call("POST", "/api/auth/callback/credentials", form);
  }

  async account(): Promise<{ id: string; workspaces: { id: string; personal: boolean; role: string }[] }> {
    return (await this.call("GET", "/api/account")).json;
  }

  async createKey(workspaceId: string, name = "key"): Promise<{ id: string; key: string }> {
    return (await this.call("POST", `/api/account/workspaces/${workspaceId}/keys`, { name })).json;
  }
}

let keeper: Promise<{ person: Person; workspaceId: string }> | undefined;

/** Another use key, of a person who keeps keys for all tests of this process. */
export async function newUseKey(name: string): Promise<{ id: string; key: string }> {
  keeper ??= signUpKeeper();
  const { person, workspaceId } = await keeper;
  return person.createKey(workspaceId, name);
}

async function signUpKeeper(): Promise<{ person: Person; workspaceId: string }> {
  const person = await new Person(newEmail("keeper")).signUp();
  return { person, workspaceId: (await person.account()).workspaces[0]?.id ?? "" };
}

/** An address that nobody else in the run has. */
export const newEmail = (name: string): string => `${name}-${randomBytes(5).toString("hex")}@example.com`;

/** Makes `guest` a member of a workspace of `host` with an invitation. */
export async function invite(
  host: Person,
  guest: Person,
  workspaceId: string,
  role: "owner" | "member" = "member",
): Promise<void> {
  const { json } = await host.call("POST", `/api/account/workspaces/${workspaceId}/invitations`, { role });
  const token = new URL(json.url).hash.slice("#token=".length);
  const accepted = await guest.call("POST", "/api/account/invitation/accept", { token });
  if (accepted.status !== 200) throw new Error(`accepting answered ${accepted.status}`);
}

/** The credential of a computer that a person allows to build for a workspace. */
export async function deviceOf(person: Person, workspaceId: string): Promise<string> {
  const post = (path: string, fields: Record<string, string>) =>
    new Person("nobody@example.com").call("POST", path, new URLSearchParams({ client_id: "parquetry-cli", ...fields }));
  const scope = "datasets:read datasets:build";
  const { json: asked } = await post("/api/oauth/device_authorization", { scope });
  const answer = { user_code: asked.user_code, decision: "allow", workspace_id: workspaceId };
  const allowed = await person.call("POST", "/api/account/device-request", answer);
  if (allowed.status !== 200) throw new Error(`allowing the device answered ${allowed.status}`);
  const grant = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: asked.device_code };
  return (await post("/api/oauth/token", grant)).json.access_token;
}

/** Sets who may read a dataset, with the operator's command. */
export async function setVisibility(slug: string, ...visibility: readonly string[]): Promise<string> {
  if (visibility[0] === "private") await parquetryBeside("dataset", "visibility", slug, "withdrawn");
  return parquetryBeside("dataset", "visibility", slug, ...visibility);
}
