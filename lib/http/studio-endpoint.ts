import { admit } from "@/lib/access/authenticate";
import { personOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { takeAccount, takeMetadataRequest } from "@/lib/access/quotas";
import type { Failure } from "@/lib/kernel/errors";
import { decideRun } from "@/lib/operations/build/approve-run";
import { cancelRun } from "@/lib/operations/build/cancel-run";
import { confirmRun } from "@/lib/operations/build/confirm-run";
import { createDataset } from "@/lib/operations/build/create-dataset";
import { startSourceInspection } from "@/lib/operations/build/inspect-source";
import { registerRecipe } from "@/lib/operations/build/register-recipe";
import { setApprovalPolicy } from "@/lib/operations/build/set-approval-policy";
import { showRecipe } from "@/lib/operations/build/show-recipe";
import { startRun } from "@/lib/operations/build/start-run";
import { deleteUpload } from "@/lib/operations/build/uploads";
import { execute } from "@/lib/operations/execute";
import { lineSchema } from "@/lib/schemas/name";
import { FORM_BYTES_MAX, readAuthForm } from "./auth-form";
import { credentialsOf } from "./credentials";
import { DATASET_FORMS } from "./dataset-forms";
import type { Call, Endpoint } from "./endpoint";
import { failureOf } from "./failure-of";
import { faultsCookie, RECIPE_FORM_BYTES_MAX } from "./recipe-form";
import { rejectedForm } from "./rejected-form";
import { rejectForeignOrigin } from "./same-origin";
import { backToPage, formProblem, isStudioForm, type StudioFields } from "./studio-form";
import { datasetPage, datasetPath, runPage, runPath, type StudioForm } from "./studio-paths";
import { WATCH_FORMS } from "./watch-forms";

/** The reply to the studio's forms, posted without script. Each form runs one operation and returns to a page. */
export const STUDIO_FORM: Endpoint = { isPersonal: true, answers: { POST: answerStudioForm }, rejected: rejectedForm };

function uploadsPage({ workspace_id = "" }: StudioFields): string {
  return `/studio/new/uploads?workspace=${encodeURIComponent(workspace_id)}`;
}
/** A name that no upload has: the digest identifies the unfinished file. */
const NO_UPLOAD = "-";

/** The decision that each button of the approval page makes. */
const DECISIONS = {
  decline: { decision: "decline", promote: "none", activate: false },
  approve: { decision: "approve", promote: "none", activate: false },
  approve_current: { decision: "approve", promote: "private", activate: false },
  approve_active: { decision: "approve", promote: "private", activate: true },
  approve_public: { decision: "approve", promote: "public", activate: false },
  approve_public_active: { decision: "approve", promote: "public", activate: true },
} as const;

const FORMS: Readonly<Record<string, StudioForm>> = {
  create: {
    async run({ workspace_id = "", title = "", ...fields }, ctx) {
      const body = { title: lineSchema(200).parse(title) };
      const { dataset } = await execute(createDataset, { path: { workspace_id }, body }, ctx);
      return inspected(dataset.slug, { workspace_id, ...fields }, ctx);
    },
    page: ({ workspace_id = "" }) => `/studio/new?workspace=${encodeURIComponent(workspace_id)}`,
  },
  inspect: {
    run: (fields, ctx) => inspected(fields.dataset ?? "", fields, ctx),
    page: (fields) => `${datasetPage(fields)}/recipe`,
  },
  register: {
    async run(fields, ctx) {
      const body = { recipe: fields.recipe ?? "", start: true };
      const stored = await execute(registerRecipe, { path: datasetPath(fields), body }, ctx);
      return "run" in stored && stored.run ? runPage({ ...fields, run_id: stored.run.run_id }) : datasetPage(fields);
    },
    page: (fields) => `${datasetPage(fields)}/recipe`,
    told: (failure) => ({ error: "recipe", cookie: faultsCookie(failure) }),
  },
  start: {
    async run(fields, ctx) {
      const run = await execute(startRun, { path: datasetPath(fields), body: { confirm: true } }, ctx);
      return runPage({ ...fields, run_id: run.run_id });
    },
    page: datasetPage,
  },
  confirm: {
    async run(fields, ctx) {
      await execute(confirmRun, { path: runPath(fields), body: { wait_ms: 0 } }, ctx);
      return runPage(fields);
    },
    page: runPage,
  },
  cancel: {
    async run(fields, ctx) {
      await execute(cancelRun, { path: runPath(fields), body: { reason: "" } }, ctx);
      return runPage(fields);
    },
    page: runPage,
  },
  show_recipe: {
    async run(fields, ctx) {
      const body = { shows_recipe: fields.shows_recipe === "yes" };
      await execute(showRecipe, { path: datasetPath(fields), body }, ctx);
      return `${datasetPage(fields)}/recipe#readers`;
    },
    page: (fields) => `${datasetPage(fields)}/recipe`,
  },
  approval_policy: {
    async run(fields, ctx) {
      const approval_policy = fields.approval_policy === "agent_private" ? "agent_private" : "person";
      await execute(setApprovalPolicy, { path: datasetPath(fields), body: { approval_policy } }, ctx);
      return `${datasetPage(fields)}/recipe#approval`;
    },
    page: (fields) => `${datasetPage(fields)}/recipe`,
  },
  delete_upload: {
    async run({ workspace_id = "", upload = "", digest = "" }, ctx) {
      await execute(deleteUpload, { path: { workspace_id, name: upload }, query: { digest } }, ctx);
      return `${uploadsPage({ workspace_id })}&deleted=${encodeURIComponent(upload)}`;
    },
    page: uploadsPage,
  },
  delete_unfinished: {
    async run({ workspace_id = "", digest = "" }, ctx) {
      await execute(deleteUpload, { path: { workspace_id, name: NO_UPLOAD }, query: { digest } }, ctx);
      return `${uploadsPage({ workspace_id })}&removed=parts`;
    },
    page: uploadsPage,
  },
  decide: { run: decide, page: (fields) => `${runPage(fields)}/approve` },
  ...DATASET_FORMS,
  ...WATCH_FORMS,
};

/**
 * The recipe's page with what was found in the source that a form names, or with only its address if it cannot be
 * inspected.
 */
async function inspected(dataset: string, fields: StudioFields, ctx: Context): Promise<string> {
  const page = `${datasetPage({ dataset })}/recipe`;
  const named = namedSource(fields);
  if (!named) return page;
  const { source, begin } = named;
  const about = new URLSearchParams(begin);
  try {
    const body = { source, dataset, depth: "quick" as const, wait_ms: 0 };
    const path = { workspace_id: fields.workspace_id ?? "" };
    const { inspection_id } = await execute(startSourceInspection, { path, body }, ctx);
    return `${page}?inspection=${inspection_id}&${about}`;
  } catch (error) {
    if (failureOf(error).status >= 500) throw error;
    return `${page}?${about}&error=source`;
  }
}

type NamedSource = { source: Record<string, unknown>; begin: Record<string, string> };

/** An upload, an address or a file of a package; undefined if a form names none. */
function namedSource({ upload = "", address = "", ...fields }: StudioFields): NamedSource | undefined {
  if (upload !== "") return { source: { kind: "upload", upload }, begin: { upload } };
  const url = address.trim().slice(0, 2000);
  if (url !== "") return { source: { url }, begin: { address: url } };
  const [name, file] = [fields.package, fields.file].map((text = "") => text.trim().slice(0, 500));
  if (!name) return undefined;
  const source = { kind: "package", registry: "npm", package: name, ...(file && { path: file }) };
  return { source, begin: { package: name, ...(file && { file }) } };
}

async function decide(fields: StudioFields, ctx: Context): Promise<string> {
  const { decision: pressed = "", recipe_digest = "", reason = "", password = "", accept_failed_checks } = fields;
  const chosen = Object.hasOwn(DECISIONS, pressed) ? DECISIONS[pressed as keyof typeof DECISIONS] : DECISIONS.decline;
  const body = {
    decision: chosen.decision,
    recipe_digest,
    // biome-ignore lint/suspicious/noThenProperty: the word of the interface
    then: { promote: chosen.promote, activate: chosen.activate },
    accept_failed_checks: accept_failed_checks === "yes",
    reason: reason.slice(0, 500),
    ...(password !== "" && { password: password.slice(0, 1024) }),
  };
  await execute(decideRun, { path: runPath(fields), body }, ctx);
  return runPage(fields);
}

async function answerStudioForm({ request, ctx }: Call): Promise<Response> {
  let told: StudioFields | undefined;
  try {
    await takeMetadataRequest(ctx);
    rejectForeignOrigin(request, new URL(ctx.baseUrl).origin);
    const isLong = Number(request.headers.get("content-length") ?? 0) > FORM_BYTES_MAX;
    const known = isLong ? await admit("account", credentialsOf(request), ctx) : undefined; // others may not
    const fields = (await readAuthForm(request, known && RECIPE_FORM_BYTES_MAX)) ?? {};
    told = fields;
    const admitted = known ?? (await admit("account", credentialsOf(request), ctx));
    const { userId, id } = personOf(admitted);
    await takeAccount(userId, ctx);
    const form = formOf(fields);
    if (!form) return backToPage("/studio", undefined, ctx);
    if (!isStudioForm(fields, id)) return backToPage(form.page(fields), { error: "again" }, ctx);
    const reply = await form.run(fields, admitted);
    if (typeof reply === "string") return backToPage(reply, undefined, ctx);
    return withCookie(backToPage(reply.path, undefined, ctx), reply.cookie);
  } catch (thrown) {
    return (told && failedForm(failureOf(thrown), told, ctx)) ?? rejectedForm(thrown, { request, ctx });
  }
}

/** Returns to the form's page, which shows what went wrong; undefined if it cannot be shown on a page. */
function failedForm(failure: Failure, sent: StudioFields, ctx: Context): Response | undefined {
  const form = formOf(sent);
  const error = formProblem(failure);
  if (!form || !error) return undefined;
  const more = FAULTY.has(failure.status) ? form.told?.(failure) : undefined;
  if (!more) return backToPage(form.page(sent), error, ctx);
  return withCookie(backToPage(form.page(sent), { error: more.error }, ctx), more.cookie);
}

/** Statuses that mean the submitted values are at fault. */
const FAULTY: ReadonlySet<number> = new Set([400, 409, 422]);

function withCookie(reply: Response, cookie: string): Response {
  reply.headers.append("set-cookie", cookie);
  return reply;
}

const formOf = ({ form = "" }: StudioFields): StudioForm | undefined =>
  Object.hasOwn(FORMS, form) ? FORMS[form] : undefined;
