import { SESSION_DAYS } from "@/lib/auth/session";
import { RECIPE_SCHEMA_PATH } from "@/lib/builds/json-schema";
import { type DocContext, type Include, names } from "@/lib/docs/doc";
import { ALL_SAMPLES } from "@/lib/docs/samples/all-samples";
import { LEVELS } from "@/lib/docs/samples/build";
import type { Sample } from "@/lib/docs/samples/sample";
import * as bounds from "@/lib/engine/grammar/bounds";
import { TEXT_MAX } from "@/lib/engine/types/filter-value";
import { JSON_FORMAT, PAGE_FORMATS } from "@/lib/formats/page-formats";
import { formatBinaryBytes, formatCount } from "@/lib/kernel/format";
import { RESULT_APP_MEDIA, RESULT_APP_URI } from "@/lib/mcp/result-app";
import { NPM_CLIENT_PATH, PYTHON_CLIENT_PATH } from "@/lib/openapi/clients";
import { RECIPE_BYTES_MAX, STEPS_MAX } from "@/lib/schemas/recipe";
import { ENCODINGS } from "@/lib/schemas/recipe-reader";
import { UPLOAD_PART_BYTES } from "@/lib/schemas/upload";
import { TOLD_ROWS_MAX, WATCHED_BYTES_MAX, WATCHED_ROWS_MAX } from "@/lib/schemas/view-result";
import { WAITING_MAX } from "@/lib/schemas/watch";

/** Numbers that no setting changes. */
const CONSTANTS = {
  ...bounds,
  TEXT_MAX,
  UPLOAD_PART_BYTES,
  WAITING_MAX,
  TOLD_ROWS_MAX,
  WATCHED_BYTES_MAX,
  WATCHED_ROWS_MAX,
  RECIPE_BYTES_MAX,
  STEPS_MAX,
};

function numberOf({ settings }: DocContext, name: string): number {
  const value = new Map<string, unknown>(Object.entries({ ...CONSTANTS, ...settings })).get(name);
  if (typeof value !== "number") throw new Error(`no setting or constant ${name} is a number`);
  return value;
}

function sampleOf(id: string): Sample {
  const sample = ALL_SAMPLES.find((each) => each.id === id);
  if (!sample) throw new Error(`unknown sample ${id}`);
  return sample;
}

/** Words and numbers for sentences, and samples by their ids. */
export const VALUES: Readonly<Record<string, Include>> = {
  /** `{{count ROWS_KEY}}`: a setting or a constant. */
  count: (at, name) => formatCount(numberOf(at, name)),
  /** `{{bytes ARTIFACT_BYTES}}`: the same, as a size. */
  bytes: (at, name) => formatBinaryBytes(numberOf(at, name)),
  "query-seconds": ({ settings }) => String(settings.QUERY_TIMEOUT_MS / 1000),
  "session-days": () => String(SESSION_DAYS + 1),
  /** `{{samples Filters: filters, filters-python}}`: a label and ids; without a label, it is the sample's own. */
  samples: (_, argument) => {
    const [, label, ids = ""] = /^(?:(.+): )?(.+)$/.exec(argument) ?? [];
    const samples = ids.split(", ").map(sampleOf);
    return [{ kind: "samples", label: label ?? samples[0]?.label ?? "", samples }];
  },
  "levels-csv": () => LEVELS.trimEnd(),

  base: ({ place: { base } }) => base,
  connector: ({ place: { base } }) => `${base}/api/mcp`,
  "hosted-base": ({ place, settings }) => settings.PARQUETRY_API_BASE_URL ?? place.base,
  "recipe-schema": ({ place: { base } }) => `${base}${RECIPE_SCHEMA_PATH}`,
  "python-client": ({ place: { base } }) => `${base}${PYTHON_CLIENT_PATH}`,
  "npm-client": ({ place: { base } }) => `${base}${NPM_CLIENT_PATH}`,
  "result-app-uri": () => RESULT_APP_URI,
  "result-app-media": () => RESULT_APP_MEDIA,

  encodings: () => names(ENCODINGS),
  "format-labels": () => [...PAGE_FORMATS, JSON_FORMAT].map(({ label }) => label).join(", "),
  "or-email": ({ settings }) => (settings.SMTP_URL === undefined ? "" : ", or sends you an email"),
  "with-use-key": ({ settings }) =>
    settings.CONNECTOR_ACCEPT_USE_KEYS
      ? "**With a use key**, for programs that cannot sign in: create one at [Settings, Access](/settings/access) " +
        "and send it as `Authorization: Bearer svc_use_…`. It is read-only. Keep it in the environment variable " +
        "`PARQUETRY_KEY`, not in a prompt or a shared file."
      : "",
  "security-contact": ({ settings: { PARQUETRY_CONTACT: contact } }) =>
    contact
      ? "If you find a way to read, change or disrupt what you should not be able to, write to " +
        `${contactLink(contact)}. Include the URL, what you did and what happened; leave out keys, passwords and ` +
        "other people’s data. In machine-readable form: [security.txt](/.well-known/security.txt)."
      : "The administrator has not published a contact for vulnerability reports.",
  "privacy-contact": ({ settings: { PARQUETRY_SUPPORT: support } }) =>
    support
      ? `For questions about your data, write to ${contactLink(support)}.`
      : "The administrator has not published a contact address.",
  "privacy-policy": ({ settings: { PARQUETRY_PRIVACY_URL: policy } }) =>
    policy ? `The administrator’s own privacy policy: [${policy}](${policy}).` : "",
};

const contactLink = (contact: string) => `[${contact.replace(/^mailto:/, "")}](${contact})`;
