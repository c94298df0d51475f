import type { Context } from "@/lib/access/context";
import type { Failure } from "@/lib/kernel/errors";
import { formToken, isFormToken } from "./form-token";

/** Where the studio's forms are posted. */
export const STUDIO_FORM_PATH = "/studio/new/answer";

/** Where the studio's file form is posted. */
export const UPLOAD_FORM_PATH = "/studio/new/uploads/answer";

export type StudioFields = Readonly<Record<string, string>>;

/** What a form is about: its hidden fields, which must not change after the page was rendered. */
const BOUND = [
  "form",
  "workspace_id",
  "dataset",
  "run_id",
  "recipe_digest",
  "version_id",
  "current",
  "visibility",
  "shows_recipe",
  "approval_policy",
  "upload",
  "digest",
  "watch_id",
  "delivery_id",
  "enabled",
] as const;

const NO_VERSION = "none";

/** The field `current` of a form: the ids of the versions that its page shows as current. */
export const currentField = (ids: readonly string[]): string => ids.join(",") || NO_VERSION;

/** The versions that were current on a form's page, which must still be so; undefined if the form has no such field. */
export const currentOf = ({ current }: StudioFields): string[] | undefined =>
  current === undefined ? undefined : current === NO_VERSION ? [] : current.split(",");

const aboutOf = (fields: StudioFields): string => JSON.stringify(BOUND.map((name) => fields[name] ?? null));

/** The hidden fields of a form of the studio, with the token that proves that this session saw the page. */
export const studioFields = (sessionId: string, fields: StudioFields): StudioFields => ({
  ...fields,
  token: formToken(sessionId, aboutOf(fields)),
});

/** Whether a form was sent unchanged from its own page. */
export const isStudioForm = (sent: StudioFields, sessionId: string): boolean =>
  isFormToken(sent.token, sessionId, aboutOf(sent));

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
  told: Record<string, string> | undefined,
  { baseUrl, requestId }: Context,
): Response {
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(told ?? {})) url.searchParams.set(name, value);
  const headers = { location: url.href, "cache-control": "no-store", "x-request-id": requestId };
  return new Response(null, { status: 303, headers });
}
