import { encode } from "next-auth/jwt";
import { SESSION_DAYS, sessionCookieName, sessionSecret } from "@/lib/auth/session";
import { baseUrl } from "@/lib/kernel/env";
import type { AnyOperation } from "@/lib/operations/operation";
import { createSession } from "@/lib/store/people/sessions";
import { serve } from "@/lib/testing/serve";

/** The cookie of a person's new session, as a browser would send it. */
export async function sessionCookie(userId: string): Promise<string> {
  const sid = await createSession({
    userId,
    expiresAt: new Date(Date.now() + SESSION_DAYS * 86_400_000),
    browser: "Test",
    fromHash: null,
  });
  return `${sessionCookieName()}=${await encode({ token: { sub: userId, sid }, secret: sessionSecret() })}`;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect replies of every shape
  body: any;
}

/** Calls an operation through its route's handler, from the service's own pages. */
export async function call(
  operation: AnyOperation,
  params: Record<string, string>,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const method = operation.http?.method ?? "GET";
  const init = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
  const sent = {
    origin: new URL(baseUrl()).origin,
    ...(body !== undefined && { "content-type": "application/json" }),
    ...headers,
  };
  const request = new Request("http://localhost/", { method, headers: sent, ...init });
  const reply = await serve({ [method]: operation })[method](request, { params: Promise.resolve(params) });
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, text, body: text === "" ? undefined : JSON.parse(text) };
}

/** Fetches a URL of a running instance as a page of its own does, with a person's session. */
export const fetchAsPage = (url: string, cookie: string): Promise<Response> =>
  fetch(url, {
    headers: {
      ...{ cookie, "sec-fetch-site": "same-origin", origin: new URL(baseUrl()).origin },
      "accept-encoding": "identity",
    },
  });
