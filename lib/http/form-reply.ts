import { baseUrl } from "@/lib/kernel/env";
import type { FormReply } from "@/lib/schemas/form-reply";
import { formToken, isFormToken } from "./form-token";

/**
 * The outcome of a settings form, on its way to the page that shows it. It is kept for a minute in a cookie that is
 * sent only to those pages, is bound to the session, and cannot be read by scripts. None of it is in a URL: the `reply`
 * parameter only identifies the cookie's content, so no other page shows it.
 */
const SECONDS = 60;
const PATH = "/settings";
/** Browsers reject cookies of more than 4 KiB. */
const CHARACTERS_MAX = 3_600;

const nameOf = (): string => `${baseUrl().startsWith("https:") ? "__Secure-" : ""}parquetry-form`;

const aboutOf = (id: string, content: string): string => `form reply ${id} ${content}`;

/** The Set-Cookie line that carries a reply to a page opened with `?reply=` and this id. */
export function formReplyCookie(reply: FormReply, { id, sessionId }: { id: string; sessionId: string }): string {
  const content = encoded(reply);
  const token = formToken(sessionId, aboutOf(id, content));
  const secure = baseUrl().startsWith("https:") ? "; Secure" : "";
  const value = `${id}.${token}.${content}`;
  return `${nameOf()}=${value}; Path=${PATH}; Max-Age=${SECONDS}; HttpOnly; SameSite=Strict${secure}`;
}

/** Typed values and individual faults are left out if they are too long for a cookie. */
function encoded(reply: FormReply): string {
  const { problem } = reply;
  const shorter = { ...reply, typed: {}, fields: [], ...(problem && { problem: { ...problem, details: [] } }) };
  const whole = textOf(reply);
  return whole.length <= CHARACTERS_MAX ? whole : textOf(shorter);
}

const textOf = (reply: FormReply): string => Buffer.from(JSON.stringify(reply)).toString("base64url");

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
