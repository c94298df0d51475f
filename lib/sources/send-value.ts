import type { Send } from "@/lib/schemas/recipe-source";

/** A request that differs from another in its URL or body. */
export interface Asked {
  url: string;
  body: unknown;
}

/** The same request with a value in a URL parameter or in a member of its body. */
export function withSent(asked: Asked, send: Send, value: string): Asked {
  if ("body" in send) return { ...asked, body: withMember(asked.body, send.body.split("/").slice(1), value) };
  const url = new URL(asked.url);
  url.searchParams.set(send.query, value);
  return { ...asked, url: url.href };
}

function withMember(body: unknown, [token, ...rest]: readonly string[], value: string): unknown {
  if (token === undefined) return value;
  const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
  const object = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  return { ...object, [key]: withMember(Object.hasOwn(object, key) ? object[key] : undefined, rest, value) };
}
