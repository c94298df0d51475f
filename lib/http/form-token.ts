import { timingSafeEqual } from "node:crypto";
import { keyedHash } from "@/lib/storage/secret";

/**
 * A token that a page puts into its form, so nobody can submit it without having seen that page in this session.
 * `about`: what the form decides.
 */
export const formToken = (sessionId: string, about: string): string =>
  keyedHash("form-tokens", JSON.stringify([sessionId, about]));

/** Whether a form was sent with the token from its own page. */
export function isFormToken(submitted: string | undefined, sessionId: string, about: string): boolean {
  const expected = Buffer.from(formToken(sessionId, about));
  const actual = Buffer.from(submitted ?? "");
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

export type FormFields = Readonly<Record<string, string>>;

/** What a form of the studio is about: its hidden fields, which must not change after the page was rendered. */
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
] as const;

const aboutOf = (fields: FormFields): string => JSON.stringify(BOUND.map((name) => fields[name] ?? null));

/** The hidden fields of a form of the studio, with the token that proves that this session saw the page. */
export const studioFields = (sessionId: string, fields: FormFields): FormFields => ({
  ...fields,
  token: formToken(sessionId, aboutOf(fields)),
});

/** Whether a form of the studio was sent unchanged from its own page. */
export const isStudioForm = (submitted: FormFields, sessionId: string): boolean =>
  isFormToken(submitted.token, sessionId, aboutOf(submitted));

const NO_VERSION = "none";

/** The field `current` of a form: the ids of the versions that its page shows as current. */
export const currentField = (ids: readonly string[]): string => ids.join(",") || NO_VERSION;

/** The versions that were current on a form's page, which must still be so; undefined if the form has no such field. */
export const currentOf = ({ current }: FormFields): string[] | undefined =>
  current === undefined ? undefined : current === NO_VERSION ? [] : current.split(",");
