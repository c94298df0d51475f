import { admit } from "@/lib/access/authenticate";
import { personOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { takeAccount, takeMetadataRequest } from "@/lib/access/quotas";
import type { Failure } from "@/lib/kernel/errors";
import { FORM_BYTES_MAX, readAuthForm } from "./auth-form";
import { credentialsOf } from "./credentials";
import type { Call, Endpoint } from "./endpoint";
import { envelope } from "./envelope";
import { errorPage } from "./error-page";
import { failureOf } from "./failure-of";
import { sendFormReply, shownProblem } from "./form-reply";
import { type FormFields, isStudioForm } from "./form-token";
import { type FileForm, readFileForm } from "./multipart-file";
import { respondWithFailure } from "./respond";
import { rejectForeignOrigin, safeCallback } from "./same-origin";
import { NONCE_HEADER } from "./security-headers";

/** A page's form, posted by a browser without script. It runs one operation and returns to a page. */
export interface PageForm {
  /** Runs the operation and returns the path of the page that shows the outcome. */
  run(fields: FormFields, ctx: Context, file: FileForm["file"]): Promise<string>;
  /** The page that contains the form and shows what went wrong. */
  page(fields: FormFields): string;
  /** Whether the form was sent unchanged from that page, in this session. By the studio's hidden fields if absent. */
  isProven?(fields: FormFields, sessionId: string): boolean;
  /** Where a failure leads, if not to the form's page with the failure's code; undefined for the latter. */
  failed?(failure: Failure, fields: FormFields): string | undefined;
  /** The code under which the page lists the faults of what was sent; absent if the failure's code says enough. */
  faults?: string;
}

/** Room for a form with 64 KiB of text, each byte encoded in three characters, and its other fields. */
export const LONG_FORM_BYTES_MAX = 256 * 1024;

/** Statuses that mean the submitted values are at fault. */
const FAULTY: ReadonlySet<number> = new Set([400, 409, 422]);

/**
 * The endpoint of a page's forms. `formOf` finds the form by its fields; a request for none returns to `home`. A form
 * with a file is sent as multipart/form-data, and `run` reads the file.
 */
export function formEndpoint(formOf: FormOf, options: FormOptions): Endpoint {
  const answer = (call: Call) => answerForm(call, formOf, options);
  return {
    isPersonal: true,
    ...(options.takesFile && { takesFile: ["POST"] }),
    answers: { POST: answer },
    rejected: rejectedForm,
  };
}

type FormOf = (fields: FormFields) => PageForm | undefined;

interface FormOptions {
  home: string;
  /** Whose session it takes: also one that is not confirmed yet, for the form that confirms it. */
  access?: "account" | "second_step";
  takesFile?: true;
}

async function answerForm({ request, ctx }: Call, formOf: FormOf, options: FormOptions): Promise<Response> {
  let submitted: FormFields = {};
  let session: Context | undefined;
  try {
    await takeMetadataRequest(ctx);
    rejectForeignOrigin(request, new URL(ctx.baseUrl).origin);
    const { takesFile } = options;
    const isLong = takesFile === true || Number(request.headers.get("content-length") ?? 0) > FORM_BYTES_MAX;
    if (isLong) session = await signedIn(request, options, ctx); // strangers' long forms are not read
    const { fields, file } = takesFile ? await readFileForm(request) : await readFields(request, isLong);
    submitted = fields;
    session ??= await signedIn(request, options, ctx);
    const form = formOf(fields);
    if (!form) return backToPage(options.home, undefined, ctx);
    if (!(form.isProven ?? isStudioForm)(fields, personOf(session).id))
      return backToPage(form.page(fields), { error: "again" }, ctx);
    return backToPage(await form.run(fields, session, file), undefined, ctx);
  } catch (thrown) {
    const form = formOf(submitted);
    const reply = form && failedForm(failureOf(thrown), form, submitted, session ?? ctx);
    return reply ?? rejectedForm(thrown, { request, ctx });
  }
}

async function signedIn(request: Request, { access = "account" }: FormOptions, ctx: Context): Promise<Context> {
  const session = await admit(access, credentialsOf(request), ctx);
  await takeAccount(personOf(session).userId, ctx);
  return session;
}

const readFields = async (request: Request, isLong: boolean): Promise<FileForm> => ({
  fields: (await readAuthForm(request, isLong ? LONG_FORM_BYTES_MAX : FORM_BYTES_MAX)) ?? {},
  file: undefined,
});

/** Returns to the form's page, which shows what went wrong; undefined if it cannot be shown on a page. */
function failedForm(failure: Failure, form: PageForm, submitted: FormFields, ctx: Context): Response | undefined {
  const page = form.failed?.(failure, submitted);
  if (page !== undefined) return backToPage(page, undefined, ctx);
  const problem = formProblem(failure);
  if (!problem) return undefined;
  if (form.faults === undefined || !FAULTY.has(failure.status) || ctx.actor.kind !== "person")
    return backToPage(form.page(submitted), problem, ctx);
  const listed = {
    form: form.faults,
    typed: {},
    fields: [],
    problem: shownProblem(envelope(failure, ctx.requestId), 0),
  };
  const { query, cookie } = sendFormReply(listed, "/studio", ctx.actor.session.id);
  const reply = backToPage(form.page(submitted), { error: form.faults, ...query }, ctx);
  reply.headers.append("set-cookie", cookie);
  return reply;
}

/** The page's problem code, from its own table; undefined for requests that no person made. */
export function formProblem({ status, code, retryAfterSeconds = 1 }: Failure): Record<string, string> | undefined {
  if (status === 429) return { error: "throttled", wait: String(Math.max(1, Math.ceil(retryAfterSeconds))) };
  if (status === 503) return { error: "unavailable" };
  if (status === 401) return { error: "session" };
  if (code === "plan_required" || code === "insufficient_scope") return { error: code };
  return status < 500 && status !== 403 ? { error: code } : undefined;
}

/** Returns to a page of ours. `path` may already have a query string. */
export function backToPage(
  path: string,
  query: Readonly<Record<string, string>> | undefined,
  { baseUrl, requestId }: Context,
): Response {
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  const headers = { location: url.href, "cache-control": "no-store", "x-request-id": requestId };
  return new Response(null, { status: 303, headers });
}

/**
 * How the endpoint of a page's forms reports what cannot be shown on that page (too many requests, too large, no
 * database): for browsers as a page that leads back to the form, for programs in the API's envelope.
 */
export const rejectedForm: NonNullable<Endpoint["rejected"]> = (thrown, { request, ctx }) => {
  const written = respondWithFailure(thrown, ctx, request);
  const nonce = request.headers.get(NONCE_HEADER);
  if (nonce === null || !request.headers.get("accept")?.includes("text/html")) return written;
  const href = safeCallback(request.headers.get("referer"), new URL(ctx.baseUrl).origin);
  const page = errorPage(failureOf(thrown), ctx.requestId, nonce, { href, words: "Back to the form" });
  const headers = new Headers(written.headers);
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(request.method === "HEAD" ? null : page, { status: written.status, headers });
};
