export interface TryReply {
  status: number;
  statusText: string;
  ms: number;
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
  /** For a person, if the service rejected the call or was not reached. */
  trouble?: string;
}

const BODY_SHOWN = 60_000;
const SHOWN_HEADERS = /^(?:content-type|etag|cache-control|link|ratelimit|ratelimit-policy|retry-after|x-request-id)$/;

/** Sends a call without credentials, and reads the response. Never throws. */
export async function sendCall(method: string, address: string, body: string | undefined): Promise<TryReply> {
  const started = performance.now();
  try {
    const response = await fetch(address, {
      method,
      credentials: "omit",
      ...(body !== undefined && { body, headers: { "content-type": "application/json" } }),
    });
    const text = await response.text();
    return {
      status: response.status,
      statusText: response.statusText,
      ms: Math.round(performance.now() - started),
      headers: [...response.headers].filter(([name]) => SHOWN_HEADERS.test(name)),
      body: readable(text),
      ...(!response.ok && { trouble: failureText(response, text) }),
    };
  } catch {
    return {
      status: 0,
      statusText: "",
      ms: Math.round(performance.now() - started),
      headers: [],
      body: "",
      trouble: "The service could not be reached. Are you online? Try again in a moment.",
    };
  }
}

/** JSON with white space between its tokens and every digit as received; long bodies are cut. */
export function readable(text: string): string {
  const spaced = /^\s*[[{]/.test(text) ? spacedJson(text) : text;
  return spaced.length > BODY_SHOWN
    ? `${spaced.slice(0, BODY_SHOWN)}\n… (${(spaced.length - BODY_SHOWN).toLocaleString("en")} more characters)`
    : spaced;
}

/** Inserts line breaks by tokens only: parsing would round 64-bit numbers. */
function spacedJson(text: string): string {
  let depth = 0;
  const line = (change: number) => {
    depth += change;
    return `\n${"  ".repeat(depth)}`;
  };
  const spaced: Readonly<Record<string, () => string>> = {
    "{": () => `{${line(1)}`,
    "[": () => `[${line(1)}`,
    "}": () => `${line(-1)}}`,
    "]": () => `${line(-1)}]`,
    ",": () => `,${line(0)}`,
    ":": () => ": ",
  };
  return text.replace(/"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|\s+/g, (token) => {
    if (/^\s/.test(token)) return "";
    return Object.hasOwn(spaced, token) ? (spaced[token]?.() ?? "") : token;
  });
}

function failureText(response: Response, text: string): string {
  const wait = response.headers.get("retry-after");
  const message = messageOf(text) ?? "The service rejected the request.";
  if (response.status === 429)
    return (
      `Too many requests from your IP address${wait ? `: try again in ${seconds(wait)}` : ""}. A use key ` +
      "has its own limits."
    );
  return wait ? `${message} Try again in ${seconds(wait)}.` : message;
}

const seconds = (wait: string) => (wait === "1" ? "a second" : `${Number(wait).toLocaleString("en")} seconds`);

function messageOf(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === "string" ? message : undefined;
  } catch {
    return text.length < 300 && text.trim() !== "" ? text.trim() : undefined;
  }
}
