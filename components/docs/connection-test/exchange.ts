/** One request of the test and its outcome, without any secret: what is shown, judged and reported. */
export interface Exchange {
  /** A short name, such as `initialize 2025-11-25`. */
  asked: string;
  method: string;
  path: string;
  /** Whether a key or token was sent along. */
  withCredential: boolean;
  /** 0 if there was no response. */
  status: number;
  ms: number;
  headers: Readonly<Record<string, string>>;
  /** The reply as JSON, without secrets; undefined if it is not JSON. */
  body: unknown;
  /** The start of a reply that is not JSON. */
  excerpt: string;
  failure?: "offline" | "unreachable" | "slow" | "redirected";
}

export interface Ask {
  asked: string;
  method: "GET" | "POST";
  /** Absolute; on this site, because pages may not call others. */
  address: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** A key or token. */
  bearer?: string | undefined;
}

/** Headers that are shown and reported. */
const SHOWN =
  /^(?:allow|content-type|mcp-protocol-version|ratelimit|retry-after|server|via|www-authenticate|x-request-id)$/;
const SECRETS: ReadonlySet<string> = new Set(["access_token", "refresh_token", "client_secret"]);
const PATIENCE_MS = 15_000;
const EXCERPT = 160;

/** Sends a request without cookies. Never throws. The complete reply is passed to `keep`, which needs its secrets. */
export async function send(ask: Ask, keep?: (reply: unknown) => void): Promise<Exchange> {
  const started = performance.now();
  const about = {
    asked: ask.asked,
    method: ask.method,
    path: new URL(ask.address).pathname,
    withCredential: ask.bearer !== undefined,
  };
  const none = { status: 0, headers: {}, body: undefined, excerpt: "" };
  const passed = () => Math.round(performance.now() - started);
  try {
    const reply = await fetch(ask.address, requestOf(ask));
    if (reply.type === "opaqueredirect") return { ...about, ...none, ms: passed(), failure: "redirected" };
    const text = await reply.text();
    const json = parsed(text);
    keep?.(json);
    const headers = Object.fromEntries([...reply.headers].filter(([name]) => SHOWN.test(name)));
    return {
      ...about,
      status: reply.status,
      ms: passed(),
      headers,
      body: withoutSecrets(json),
      excerpt: json === undefined ? text.trim().slice(0, EXCERPT) : "",
    };
  } catch (thrown) {
    const isSlow = thrown instanceof DOMException && thrown.name === "TimeoutError";
    return {
      ...about,
      ...none,
      ms: passed(),
      failure: globalThis.navigator?.onLine === false ? "offline" : isSlow ? "slow" : "unreachable",
    };
  }
}

function requestOf({ method, headers, body, bearer }: Ask): RequestInit {
  return {
    method,
    headers: { ...headers, ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) },
    ...(body !== undefined && { body }),
    credentials: "omit",
    cache: "no-store",
    redirect: "manual",
    signal: AbortSignal.timeout(PATIENCE_MS),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Secrets are top-level fields of the replies that have any. */
function withoutSecrets(json: unknown): unknown {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, SECRETS.has(name) ? "…" : value]));
}
