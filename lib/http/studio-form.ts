import { formToken, isFormToken } from "./form-token";

/** Where the studio's forms are posted to. */
export const STUDIO_FORM_PATH = "/studio/new/answer";

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
