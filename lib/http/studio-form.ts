import type { Context } from "@/lib/access/context";
import type { Failure } from "@/lib/kernel/errors";
import { formToken, isFormToken } from "./form-token";

/** Where the studio's forms are posted to. */
export const STUDIO_FORM_PATH = "/studio/new/answer";

/** Where its form for files is posted to. */
export const UPLOAD_FORM_PATH = "/studio/new/uploads/answer";

export type StudioFields = Readonly<Record<string, string>>;

/** What a form is about: its hidden fields, which nobody may change after the page was made. */
const BOUND = [
  "form",
  "workspace_id",
  "dataset",
  "run_id",
  "recipe_digest",
  "version_id",
  "visibility",
  "shows_recipe",
  "upload",
  "digest",
  "watch_id",
  "delivery_id",
  "enabled",
] as const;

const aboutOf = (fields: StudioFields): string => JSON.stringify(BOUND.map((name) => fields[name] ?? null));

/** The hidden fields of a form of the studio, with the token that proves that this session saw the page. */
export const studioFields = (sessionId: string, fields: StudioFields): StudioFields => ({
  ...fields,
  token: formToken(sessionId, aboutOf(fields)),
});

/** Whether a form was sent as its own page made it. */
export const isStudioForm = (sent: StudioFields, sessionId: string): boolean =>
  isFormToken(sent.token, sessionId, aboutOf(sent));

/** What the page tells, by a code of its own table; undefined for requests that no person made. */
export function formProblem({ status, code, retryAfterSeconds = 1 }: Failure): Record<string, string> | undefined {
  if (status === 429) return { error: "throttled", wait: String(Math.max(1, Math.ceil(retryAfterSeconds))) };
  if (status === 503) return { error: "unavailable" };
  if (status === 401) return { error: "session" };
  if (code === "plan_required" || code === "insufficient_scope") return { error: code };
  return status < 500 && status !== 403 ? { error: code } : undefined;
}

/** Returns to a page of ours; `path` may have a query string of its own. */
export function backToPage(
  path: string,
  told: Record<string, string> | undefined,
  { baseUrl, requestId }: Context,
): Response {
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(told ?? {})) url.searchParams.set(name, value);
  const headers = { location: url.href, "cache-control": "no-store", "x-request-id": requestId };
  return new Response(null, { status: 303, headers });
}
