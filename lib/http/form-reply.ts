import { randomBytes } from "node:crypto";
import { baseUrl } from "@/lib/kernel/env";
import type { FormReply } from "@/lib/schemas/form-reply";
import type { Envelope } from "./envelope";
import { formToken, isFormToken } from "./form-token";

/**
 * The outcome of a form, on its way to the page that shows it. It is kept for a minute in a cookie that is sent only to
 * that part of the site, that is bound to
 * the session and cannot be read by scripts. None of it is in a URL: the `reply` parameter only identifies the cookie's
 * content, so no other page shows it.
 */
const SECONDS = 60;
/** Browsers reject cookies of more than 4 KiB. */
const CHARACTERS_MAX = 3_600;

const nameOf = (): string => `${baseUrl().startsWith("https:") ? "__Secure-" : ""}parquetry-form`;

const aboutOf = (id: string, content: string): string => `form reply ${id} ${content}`;

/**
 * The Set-Cookie line that carries a reply to a page under `path`, and the query with which that page is to be opened.
 */
export function sendFormReply(
  reply: FormReply,
  path: "/settings" | "/studio",
  sessionId: string,
): { cookie: string; query: { reply: string } } {
  const id = randomBytes(9).toString("base64url");
  const content = encoded(reply);
  const token = formToken(sessionId, aboutOf(id, content));
  const secure = baseUrl().startsWith("https:") ? "; Secure" : "";
  const value = `${id}.${token}.${content}`;
  const cookie = `${nameOf()}=${value}; Path=${path}; Max-Age=${SECONDS}; HttpOnly; SameSite=Strict${secure}`;
  return { cookie, query: { reply: id } };
}

/** Typed values, and then the last faults, are left out if they are too long for a cookie. */
function encoded(reply: FormReply): string {
  let shown = reply;
  while (textOf(shown).length > CHARACTERS_MAX) {
    const { typed, fields, problem } = shown;
    const hasTyped = Object.keys(typed).length > 0 || fields.length > 0;
    if (!hasTyped && !problem?.details.length) break;
    const shorter = problem && { problem: { ...problem, details: problem.details.slice(0, -1) } };
    shown = hasTyped ? { ...shown, typed: {}, fields: [] } : { ...shown, ...shorter };
  }
  return textOf(shown);
}

const textOf = (reply: FormReply): string => Buffer.from(JSON.stringify(reply)).toString("base64url");

const DETAILS_MAX = 8;
const TEXT_MAX = 300;

/** An error's envelope as a page shows it. `wait`: seconds after which the form can be sent again. */
export function shownProblem(
  { error, message, details = [] }: Envelope,
  wait: number,
): NonNullable<FormReply["problem"]> {
  return {
    ...{ error, message: shortened(message), wait },
    details: details.slice(0, DETAILS_MAX).map(({ pointer, message: fault, did_you_mean }) => ({
      ...{ pointer: shortened(pointer), message: shortened(fault) },
      ...(did_you_mean !== undefined && { did_you_mean }),
    })),
  };
}

const shortened = (text: string): string =>
  text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…`.toWellFormed() : text;

/** The reply that a page was opened with; undefined once it has expired. `cookie` reads a cookie by name. */
export function shownFormReply(
  id: string | undefined,
  sessionId: string,
  cookie: (name: string) => string | undefined,
): FormReply | undefined {
  const [named, token, content = ""] = cookie(nameOf())?.split(".") ?? [];
  if (id === undefined || id !== named || !isFormToken(token, sessionId, aboutOf(id, content))) return undefined;
  return JSON.parse(Buffer.from(content, "base64url").toString("utf8")) as FormReply;
}
