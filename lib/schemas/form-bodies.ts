import { expiryOf } from "./key-lifetime";
import { NEWS_KIND_NAMES } from "./news-kinds";
import type { SecretKind } from "./secret";
import { SECRET_FORMS, secretBody } from "./secret-forms";

/** What was typed into a form, by field name. */
export type Typed = Readonly<Record<string, string>>;

interface FormBody {
  /** The body of the call that the form makes. */
  body(typed: Typed, now: Date): unknown;
  /** Fields that are filled in again when a form's page is shown with a fault; no secrets. */
  kept: readonly string[];
  /** Fields of the reply that the page shows. */
  told?: readonly string[];
  /** The page of ours that shows what was created, if it is a different one. */
  page?(reply: unknown): string | undefined;
}

const trimmed = (text = ""): string => text.trim();

const wordsOf = (text = ""): string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

const newKey = ({ name, lifetime = "", expires_at = "", datasets, permissions = "" }: Typed, now: Date) => ({
  name: trimmed(name),
  expires_at: expiryOf(lifetime, expires_at, now),
  ...(wordsOf(datasets).length > 0 && { datasets: wordsOf(datasets) }),
  ...(permissions !== "" && { permissions: [permissions] }),
});

const KEY = {
  kept: ["name", "lifetime", "expires_at", "datasets", "permissions"],
  told: ["key", "expires_at"],
} as const;

const kindOf = ({ kind = "" }: Typed): SecretKind =>
  Object.hasOwn(SECRET_FORMS, kind) ? (kind as SecretKind) : "header";

/** Without a column and a value, every change of the view's result is told. */
const thresholdOf = ({ column, is, threshold }: Typed) =>
  column || trimmed(threshold) ? { threshold: { column, is, value: trimmed(threshold) } } : {};

function workspacePage(reply: unknown): string | undefined {
  const { workspace } = reply as { workspace?: { id?: string } };
  return workspace?.id && `/settings/workspace?workspace=${encodeURIComponent(workspace.id)}`;
}

/** THE table of the settings' forms: what their fields mean as the body of a call, with script and without. */
export const FORM_BODIES = {
  /** For a form that is only a button; a URL in the reply is shown as a link, and a secret once. */
  none: { body: () => undefined, kept: [], told: ["url", "secret"] },
  enabled: { body: ({ enabled }) => ({ enabled: enabled === "yes" }), kept: ["enabled"] },
  workspace: { body: ({ name }) => ({ name: trimmed(name) }), kept: ["name"], page: workspacePage },
  name: { body: ({ name }) => ({ name: trimmed(name) }), kept: ["name"] },
  title: { body: ({ title }) => ({ title: trimmed(title) || null }), kept: ["title"] },
  optional_name: { body: ({ name }) => ({ name: trimmed(name) || null }), kept: ["name"] },
  key: { body: newKey, ...KEY },
  live_key: { body: (typed, now) => ({ ...newKey(typed, now), kind: "live" }), ...KEY },
  key_replacement: {
    body: ({ keep_hours = "" }) => ({ keep_hours: Number(keep_hours) }),
    kept: ["keep_hours"],
    told: ["name", "key", "expires_at"],
  },
  secret: {
    body: (typed) => ({ name: trimmed(typed.name), ...secretBody(kindOf(typed), typed) }),
    kept: ["name", "kind", "field", "username", "access_key_id", "region", "endpoint"],
  },
  secret_value: {
    body: (typed) => secretBody(kindOf(typed), typed),
    kept: ["field", "username", "access_key_id", "region", "endpoint"],
  },
  secret_hosts: { body: ({ hosts }) => ({ hosts: wordsOf(hosts) }), kept: ["hosts"] },
  secret_test: { body: ({ url }) => ({ url: trimmed(url) }), kept: ["url"], told: ["verdict", "words"] },
  invitation: {
    body: ({ role, email }) => ({ role, ...(trimmed(email) && { email: trimmed(email) }) }),
    kept: ["role", "email"],
    told: ["url", "mailed", "invitation"],
  },
  watch: {
    body: ({ channel, url, dataset, table, view, ...typed }) => ({
      ...(channel === "email" ? { channel } : { channel, url: trimmed(url) }),
      ...(view
        ? { view, ...thresholdOf(typed) }
        : {
            events: NEWS_KIND_NAMES.filter((kind) => typed[kind] === "yes"),
            ...(trimmed(dataset) && { dataset: trimmed(dataset) }),
            ...(trimmed(table) && { table: trimmed(table) }),
          }),
    }),
    kept: ["channel", "url", "dataset", "table", "view", "column", "is", "threshold", ...NEWS_KIND_NAMES],
    told: ["secret"],
  },
  password: {
    body: ({ current_password = "", password = "" }) => ({ current_password, password }),
    kept: [],
  },
  proof: { body: ({ password = "" }) => ({ password }), kept: [] },
  address: { body: ({ email, password = "" }) => ({ email: trimmed(email), password }), kept: ["email"] },
  address_code: { body: ({ code }) => ({ code: trimmed(code) }), kept: [] },
  account: { body: (typed) => typed, kept: ["email"] },
} as const satisfies Readonly<Record<string, FormBody>>;

export type FormBodyName = keyof typeof FORM_BODIES;

/** A row of the table. */
export const formBody = (name: FormBodyName): FormBody => FORM_BODIES[name];

/** Fields whose names contain a colon identify the form, and are not part of what was typed. */
export const typedOf = (fields: Iterable<readonly [string, unknown]>): Typed =>
  Object.fromEntries(
    [...fields].filter((pair): pair is [string, string] => !pair[0].includes(":") && typeof pair[1] === "string"),
  );
