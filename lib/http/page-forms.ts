import { z } from "zod";
import type { Context } from "@/lib/access/context";
import { fail } from "@/lib/kernel/errors";
import { decideDeviceRequest } from "@/lib/operations/account/device-request";
import { useRecoveryCode } from "@/lib/operations/account/second-step";
import { decideRun } from "@/lib/operations/approvals/approve-run";
import { setApprovalPolicy } from "@/lib/operations/approvals/set-approval-policy";
import { activateDataset, deactivateDataset } from "@/lib/operations/datasets/activate-dataset";
import { createDataset } from "@/lib/operations/datasets/create-dataset";
import { deleteDataset } from "@/lib/operations/datasets/delete-dataset";
import { updateDataset } from "@/lib/operations/datasets/own-datasets";
import { execute } from "@/lib/operations/execute";
import { registerRecipe } from "@/lib/operations/recipes/register-recipe";
import { showRecipe } from "@/lib/operations/recipes/show-recipe";
import { promoteTable } from "@/lib/operations/releases/promote-table";
import { withdrawOwnVersion } from "@/lib/operations/releases/withdraw-own-version";
import { cancelRun } from "@/lib/operations/runs/cancel-run";
import { confirmRun } from "@/lib/operations/runs/confirm-run";
import { startRun } from "@/lib/operations/runs/start-run";
import { startSourceInspection } from "@/lib/operations/sources/inspect-source";
import { deleteUpload, storeUpload } from "@/lib/operations/sources/uploads";
import { lineSchema } from "@/lib/schemas/name";
import { suggestedName } from "@/lib/schemas/upload";
import { failureOf } from "./failure-of";
import { formEndpoint, formProblem, type PageForm } from "./form-endpoint";
import { currentOf, type FormFields, isFormToken } from "./form-token";
import { safeCallback } from "./same-origin";

/** Where the studio's forms are posted. */
export const STUDIO_FORM_PATH = "/studio/new/answer";

/** Where the studio's file form is posted. */
export const UPLOAD_FORM_PATH = "/studio/new/uploads/answer";

const runPage = ({ dataset = "", run_id = "" }: FormFields): string =>
  `/studio/${encodeURIComponent(dataset)}/runs/${encodeURIComponent(run_id)}`;
const datasetPage = ({ dataset = "" }: FormFields): string => `/studio/${encodeURIComponent(dataset)}`;
const runPath = ({ workspace_id = "", run_id = "" }: FormFields) => ({ workspace_id, run_id });
const datasetPath = ({ workspace_id = "", dataset = "" }: FormFields) => ({ workspace_id, dataset });

function uploadsPage({ workspace_id = "" }: FormFields): string {
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

const textsSchema = z.strictObject({
  title: lineSchema(200),
  summary: z.string().max(500),
  description: z.string().max(10_000),
});

/** The forms about a dataset as a whole: its texts, its schedule, and who reads what of it. */
const DATASET_FORMS: Readonly<Record<string, PageForm>> = {
  pause: scheduleForm("pause"),
  resume: scheduleForm("resume"),
  visibility: {
    async run({ visibility = "", ...fields }, ctx) {
      const expected_current = currentOf(fields);
      const body = { visibility: z.enum(["public", "private", "withdrawn"]).parse(visibility), expected_current };
      await execute(updateDataset, { path: datasetPath(fields), body }, ctx);
      return datasetPage(fields);
    },
    page: ({ visibility = "", ...fields }) =>
      questionPage(fields, visibility === "withdrawn" ? "withdraw" : visibility === "public" ? "publish" : "restore"),
  },
  withdraw_version: {
    async run({ version_id = "", reason = "", ...fields }, ctx) {
      const path = { ...datasetPath(fields), version_id };
      const [current = null] = currentOf(fields) ?? [];
      const body = { reason: reason.trim().slice(0, 500), expected_current: current };
      if (body.reason === "") throw fail("invalid_request");
      await execute(withdrawOwnVersion, { path, body }, ctx);
      return `${datasetPage(fields)}#tables`;
    },
    page: (fields) => questionPage(fields, "withdraw_version"),
  },
  texts: {
    async run({ title = "", summary = "", description = "", ...fields }, ctx) {
      const texts = { title: title.trim(), summary: summary.trim(), description };
      const body = textsSchema.safeParse(texts);
      if (!body.success) throw fail("invalid_request");
      await execute(updateDataset, { path: datasetPath(fields), body: body.data }, ctx);
      return `${datasetPage(fields)}?saved=texts#texts`;
    },
    page: datasetPage,
  },
  delete_dataset: {
    async run(fields, ctx) {
      await execute(deleteDataset, { path: datasetPath(fields) }, ctx);
      return `/studio?workspace=${encodeURIComponent(fields.workspace_id ?? "")}`;
    },
    page: datasetPage,
  },
  activate: {
    async run(fields, ctx) {
      const body = { expected_current: currentOf(fields) };
      await execute(activateDataset, { path: datasetPath(fields), body }, ctx);
      return `${datasetPage(fields)}#hosted`;
    },
    page: (fields) => questionPage(fields, "activate"),
  },
  deactivate: {
    async run(fields, ctx) {
      await execute(deactivateDataset, { path: datasetPath(fields), body: {} }, ctx);
      return `${datasetPage(fields)}#hosted`;
    },
    page: datasetPage,
  },
  promote: { run: promote, page: datasetPage },
};

const STUDIO_FORMS: Readonly<Record<string, PageForm>> = {
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
    faults: "recipe",
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
};

/**
 * The recipe's page with what was found in the source that a form names, or with only its address if it cannot be
 * inspected.
 */
async function inspected(dataset: string, fields: FormFields, ctx: Context): Promise<string> {
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
function namedSource({ upload = "", address = "", ...fields }: FormFields): NamedSource | undefined {
  if (upload !== "") return { source: { kind: "upload", upload }, begin: { upload } };
  const url = address.trim().slice(0, 2000);
  if (url !== "") return { source: { url }, begin: { address: url } };
  const [name, file] = [fields.package, fields.file].map((text = "") => text.trim().slice(0, 500));
  if (!name) return undefined;
  const source = { kind: "package", registry: "npm", package: name, ...(file && { path: file }) };
  return { source, begin: { package: name, ...(file && { file }) } };
}

async function decide(fields: FormFields, ctx: Context): Promise<string> {
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

/** The question that a form answers, which shows what is current now. */
const questionPage = (fields: FormFields, question: string): string => {
  const version = fields.version_id ? `&version=${encodeURIComponent(fields.version_id)}` : "";
  return `${datasetPage(fields)}/change?do=${question}${version}`;
};

/** Pauses or resumes a dataset's schedule. */
function scheduleForm(schedule: "pause" | "resume"): PageForm {
  return {
    async run(fields, ctx) {
      await execute(updateDataset, { path: datasetPath(fields), body: { schedule } }, ctx);
      return `${datasetPage(fields)}#schedule`;
    },
    page: datasetPage,
  };
}

async function promote(fields: FormFields, ctx: Context): Promise<string> {
  const { run_id, version_id, visibility } = fields;
  const body = {
    ...(version_id ? { version_id, expected_current: currentOf(fields)?.[0] ?? null } : { run_id }),
    roll_back: version_id !== undefined,
    activate: false,
    ...(visibility === "public" && { visibility: "public" as const }),
  };
  const reply = await execute(promoteTable, { path: datasetPath(fields), body }, ctx);
  const approvalUrl = "approval" in reply ? reply.approval?.approval_url : undefined;
  return approvalUrl === undefined ? datasetPage(fields) : new URL(approvalUrl).pathname;
}

/** The studio's forms, which name themselves in the field `form`. */
export const STUDIO_FORM = formEndpoint(
  ({ form = "" }) => (Object.hasOwn(STUDIO_FORMS, form) ? STUDIO_FORMS[form] : undefined),
  { home: "/studio" },
);

/** Codes with a different meaning for a file than for other forms. */
const UPLOAD_PROBLEMS: Readonly<Record<string, string>> = {
  conflict: "uploads_full",
  invalid_value: "upload_invalid",
  invalid_request: "upload_broken",
};

const withQuery = (page: string, query: Readonly<Record<string, string>>): string =>
  `${page}${page.includes("?") ? "&" : "?"}${new URLSearchParams(query)}`;

/** The form that uploads a file for recipes. */
const UPLOAD: PageForm = {
  async run({ name: typed = "", ...fields }, ctx, file) {
    const page = uploadsPage(fields);
    if (!file) return withQuery(page, { error: "no_file" });
    const { chunks, mediaType, fileName } = file;
    const path = { workspace_id: fields.workspace_id ?? "", name: typed.trim() || suggestedName(fileName) };
    const body = { chunks, mediaType, declaredBytes: undefined, declaredDigest: undefined };
    const { outcome } = await execute(storeUpload, { path, query: { file_name: fileName.slice(0, 255) }, body }, ctx);
    return withQuery(page, { [outcome]: path.name });
  },
  page: uploadsPage,
  failed(failure, fields) {
    const problem = formProblem(failure);
    const error = UPLOAD_PROBLEMS[problem?.error ?? ""];
    return problem && withQuery(uploadsPage(fields), { ...problem, ...(error && { error }) });
  },
};

export const UPLOAD_FORM = formEndpoint(() => UPLOAD, { home: "/studio/new/uploads", takesFile: true });

const devicePage = (query: Readonly<Record<string, string>>): string => withQuery("/device", query);

/** The form that allows or denies a command line's request (RFC 8628, 3.3). */
const DEVICE: PageForm = {
  async run({ user_code = "", decision, workspace_id = "" }, ctx) {
    if (decision !== "allow" && decision !== "refuse") return devicePage({ user_code, error: "again" });
    const answer = await execute(decideDeviceRequest, { body: { user_code, decision, workspace_id } }, ctx);
    return devicePage({ answered: answer.decision });
  },
  page: ({ user_code = "" }) => devicePage({ user_code }),
  isProven: ({ token, user_code = "" }, sessionId) => isFormToken(token, sessionId, user_code),
  failed(failure, { user_code = "" }) {
    if (failure.status === 401) return devicePage({ user_code }); // people who are not signed in do so, and come back
    if (failure.status === 503) return devicePage({ user_code, error: "unavailable" });
    if ([400, 404, 422].includes(failure.status)) return devicePage({ error: "gone" });
    return failure.status === 429 ? devicePage(formProblem(failure) ?? {}) : undefined;
  },
};

export const DEVICE_FORM = formEndpoint(() => DEVICE, { home: "/device" });

/** What the form of a recovery code is about, for its token. */
export const SECOND_STEP_FORM_ABOUT = "second step";

const stepPage = ({ callbackUrl = "" }: FormFields): string => withQuery("/sign-in/passkey", { callbackUrl });

/** The form that confirms a sign-in with a recovery code. */
const SECOND_STEP: PageForm = {
  async run({ code = "", callbackUrl }, ctx) {
    await execute(useRecoveryCode, { body: { code: code.slice(0, 100) } }, ctx);
    return safeCallback(callbackUrl, new URL(ctx.baseUrl).origin);
  },
  page: stepPage,
  isProven: ({ token }, sessionId) => isFormToken(token, sessionId, SECOND_STEP_FORM_ABOUT),
  failed(failure, fields) {
    if (failure.status === 401) return withQuery("/sign-in", { callbackUrl: fields.callbackUrl ?? "" });
    if (failure.status === 400) return withQuery(stepPage(fields), { error: "code" });
    const problem = formProblem(failure);
    return problem && withQuery(stepPage(fields), problem);
  },
};

export const SECOND_STEP_FORM = formEndpoint(() => SECOND_STEP, { home: "/sign-in", access: "second_step" });
