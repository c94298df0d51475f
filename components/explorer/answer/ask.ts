import type { Envelope } from "@/lib/http/envelope";
import { OFFLINE, type Problem, plainProblem, problemOf, TOOK_TOO_LONG } from "./problem";
import { type ReplyPage, readReply } from "./reply-text";

/** Where queries are sent, and with which credential. */
export interface Route {
  url: string;
  /** A use key; absent on the other routes. */
  key?: string | undefined;
  /** Whether the session of the signed-in person is the credential. */
  isOwn?: boolean | undefined;
}

export type Asked<Data> = { data: Data; problem?: undefined } | { data?: undefined; problem: Problem };

const PATIENCE_MS = 30_000;

/** Requests a page from the public query API. Undefined if `signal` aborted it. */
export const askPage = (route: Route, body: string, signal: AbortSignal): Promise<Asked<ReplyPage> | undefined> =>
  ask(route, body, "application/json", signal, async (reply) => readReply(await reply.text()));

/**
 * Asks whether a file can be had, without its body: a browser that saves it tells nobody why it failed. Undefined if it
 * can.
 */
export async function askAhead(url: string): Promise<Problem | undefined> {
  try {
    const { ok } = await fetch(url, { method: "HEAD" });
    if (ok) return undefined;
    const reply = await fetch(url); // the words are only in a body
    if (!reply.ok) return await rejection(reply, { url, isOwn: true });
    await reply.body?.cancel();
    return undefined;
  } catch {
    return OFFLINE;
  }
}

/** Requests the same page in another format. */
export const askFile = (
  route: Route,
  body: string,
  media: string,
  signal: AbortSignal,
): Promise<Asked<Blob> | undefined> => ask(route, body, media, signal, (reply) => reply.blob());

/** Sends a body by POST. Undefined if `signal` aborted it. */
export async function ask<Data>(
  route: Route,
  body: string,
  accept: string,
  signal: AbortSignal,
  read: (reply: Response) => Promise<Data>,
): Promise<Asked<Data> | undefined> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const headers = {
    "content-type": "application/json",
    accept,
    ...(route.key !== undefined && { "x-api-key": route.key }),
  };
  try {
    const reply = await fetch(route.url, {
      method: "POST",
      headers,
      body,
      credentials: route.isOwn ? "same-origin" : "omit",
      signal: AbortSignal.any([signal, patience]),
    });
    return reply.ok ? { data: await read(reply) } : { problem: await rejection(reply, route) };
  } catch {
    if (signal.aborted) return undefined;
    return { problem: patience.aborted ? TOOK_TOO_LONG : OFFLINE };
  }
}

async function rejection(reply: Response, { key, isOwn }: Route): Promise<Problem> {
  const wait = reply.headers.get("retry-after");
  const said: unknown = await reply.json().catch(() => undefined);
  return isEnvelope(said)
    ? problemOf(said, wait, { keyed: key !== undefined || isOwn === true })
    : plainProblem(reply.status, wait);
}

const isEnvelope = (said: unknown): said is Envelope =>
  typeof said === "object" && said !== null && "error" in said && "message" in said;
