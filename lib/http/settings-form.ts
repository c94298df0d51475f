import { admit } from "@/lib/access/authenticate";
import { personOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { takeMetadataRequest } from "@/lib/access/quotas";
import { FORM_BODIES, type FormBodyName, formBody, type Typed, typedOf } from "@/lib/schemas/form-bodies";
import { FORM_FIELDS, type FormReply, formName } from "@/lib/schemas/form-reply";
import { type AuthForm, readAuthForm } from "./auth-form";
import { credentialsOf } from "./credentials";
import { plainResponse } from "./deferred-body";
import type { Call, Endpoint } from "./endpoint";
import type { Envelope } from "./envelope";
import { failureOf } from "./failure-of";
import { backToPage, rejectedForm } from "./form-endpoint";
import { sendFormReply, shownProblem } from "./form-reply";
import { rejectForeignOrigin, safeCallback } from "./same-origin";

/** Where the settings forms are posted by a browser whose page has no script, or has not loaded it yet. */
export const SETTINGS_FORM_PATH = "/settings/answer";

const ACCOUNT = "/api/account";
const METHODS = ["POST", "PUT", "PATCH", "DELETE"] as const;
const DONE_MAX = 300;
/**
 * Typed values up to this length, such as names, are shown again with the result. A long URL would leave no room for a
 * secret.
 */
const SHORT_MAX = 200;

/** The API call that a form stands for. */
interface FormCall {
  method: string;
  path: string;
  shape: FormBodyName;
  typed: Typed;
  json: string | undefined;
  /** The page that contains the form. */
  back: string;
  /** The page to go to when it is done, if that is another one. */
  leadsTo: string | undefined;
  done: string | undefined;
}

/**
 * The reply to a settings form. The account API's call is made on behalf of the browser, with its cookies, and the page
 * shows the outcome. Every rule for the call therefore holds for the form.
 */
export function settingsForm(handle: (request: Request) => Promise<Response>): Endpoint {
  const answer = (call: Call) => answerSettingsForm(call, handle);
  return { isPersonal: true, answers: { POST: answer }, rejected: rejectedForm };
}

async function answerSettingsForm(
  { request, ctx }: Call,
  handle: (request: Request) => Promise<Response>,
): Promise<Response> {
  await takeMetadataRequest(ctx);
  rejectForeignOrigin(request, new URL(ctx.baseUrl).origin);
  const call = formCallOf((await readAuthForm(request)) ?? {}, ctx);
  if (!call) return backToPage("/settings", undefined, ctx);
  const sessionId = await sessionOf(request, ctx);
  if (sessionId === undefined) return toSignIn(call, ctx);
  const called = callOf(request, call, ctx);
  const reply = plainResponse(await handle(called), called);
  if (reply.status === 401) return toSignIn(call, ctx);
  return shown(call, reply, sessionId, ctx);
}

function formCallOf(fields: AuthForm, ctx: Context): FormCall | undefined {
  const method = METHODS.find((each) => each === fields[FORM_FIELDS.method]);
  const path = accountPath(fields[FORM_FIELDS.path], ctx);
  if (!method || !path) return undefined;
  const name = fields[FORM_FIELDS.body] ?? "";
  const page = (text: string | undefined) => safeCallback(text, new URL(ctx.baseUrl).origin);
  const back = page(fields[FORM_FIELDS.back]);
  const leadsTo = fields[FORM_FIELDS.leadsTo];
  return {
    ...{ method, path, typed: typedOf(Object.entries(fields)), json: fields[FORM_FIELDS.json] },
    shape: Object.hasOwn(FORM_BODIES, name) ? (name as FormBodyName) : "none",
    back: back.startsWith("/settings/") ? back : "/settings",
    leadsTo: leadsTo === undefined ? undefined : page(leadsTo),
    done: fields[FORM_FIELDS.done]?.slice(0, DONE_MAX),
  };
}

/** A path of the account API, as the listener would route it; undefined for anything else. */
function accountPath(text: string | undefined, { baseUrl }: Context): string | undefined {
  if (!text?.startsWith("/") || !URL.canParse(text, baseUrl)) return undefined;
  const { pathname, origin } = new URL(text, baseUrl);
  if (origin !== new URL(baseUrl).origin) return undefined;
  return pathname === ACCOUNT || pathname.startsWith(`${ACCOUNT}/`) ? pathname : undefined;
}

async function sessionOf(request: Request, ctx: Context): Promise<string | undefined> {
  try {
    return personOf(await admit("account", credentialsOf(request), ctx)).id;
  } catch (error) {
    if (failureOf(error).status === 401) return undefined;
    throw error;
  }
}

function callOf(request: Request, { method, path, shape, typed, json }: FormCall, ctx: Context): Request {
  const headers = new Headers(request.headers);
  for (const name of ["content-type", "content-length", "content-encoding", "transfer-encoding", "accept"])
    headers.delete(name);
  const body = json ?? (method === "DELETE" ? undefined : JSON.stringify(formBody(shape).body(typed, ctx.now())));
  if (body !== undefined) headers.set("content-type", "application/json");
  return new Request(new URL(path, ctx.baseUrl), { method, headers, ...(body !== undefined && { body }) });
}

function toSignIn({ back }: FormCall, ctx: Context): Response {
  return backToPage("/sign-in", { error: "SessionEnded", callbackUrl: back }, ctx);
}

/** Returns to the form's page with the outcome, or continues to the page that it leads to. */
async function shown(call: FormCall, reply: Response, sessionId: string, ctx: Context): Promise<Response> {
  const body = reply.headers.get("content-type")?.includes("json") ? await reply.json() : {};
  const { shape, typed, done } = call;
  const { kept, told = [], page } = formBody(shape);
  const form = formName(call.method, call.path, shape);
  const fields = Object.keys(typed);
  const again = Object.fromEntries(kept.flatMap((name) => (name in typed ? [[name, typed[name] ?? ""]] : [])));
  const shownReply: FormReply = reply.ok
    ? { form, typed: {}, fields, ...(done !== undefined && { done }), data: pick(body, told, again) }
    : {
        form,
        typed: again,
        fields,
        problem: shownProblem(body as Envelope, Number(reply.headers.get("retry-after") ?? 0)),
      };
  const to = (reply.ok && (call.leadsTo ?? page?.(body))) || call.back;
  const { cookie, query } = sendFormReply(shownReply, "/settings", sessionId);
  const response = backToPage(to, to.startsWith("/settings") ? query : undefined, ctx);
  for (const line of [...reply.headers.getSetCookie(), cookie]) response.headers.append("set-cookie", line);
  return response;
}

const pick = (fields: Record<string, unknown>, names: readonly string[], again: Typed): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(again).filter(([, text]) => text.length <= SHORT_MAX)),
  ...Object.fromEntries(names.flatMap((name) => (name in fields ? [[name, fields[name]]] : []))),
});
