import { z } from "zod";
import type { Context } from "@/lib/access/context";
import { fail } from "@/lib/kernel/errors";
import { activateDataset, deactivateDataset } from "@/lib/operations/build/activate-dataset";
import { deleteDataset } from "@/lib/operations/build/delete-dataset";
import { updateDataset } from "@/lib/operations/build/own-datasets";
import { promoteTable } from "@/lib/operations/build/promote-table";
import { withdrawOwnVersion } from "@/lib/operations/build/withdraw-own-version";
import { execute } from "@/lib/operations/execute";
import { lineSchema } from "@/lib/schemas/name";
import { currentOf, type StudioFields } from "./studio-form";
import { datasetPage, datasetPath, type StudioForm } from "./studio-paths";

const textsSchema = z.strictObject({
  title: lineSchema(200),
  summary: z.string().max(500),
  description: z.string().max(10_000),
});

/** The forms about a dataset as a whole: its texts, its schedule, and who reads what of it. */
export const DATASET_FORMS: Readonly<Record<string, StudioForm>> = {
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
      const given = { title: title.trim(), summary: summary.trim(), description };
      const body = textsSchema.safeParse(given);
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

/** The question that a form answers, which shows what is current now. */
const questionPage = (fields: StudioFields, question: string): string => {
  const version = fields.version_id ? `&version=${encodeURIComponent(fields.version_id)}` : "";
  return `${datasetPage(fields)}/change?do=${question}${version}`;
};

/** Pauses or resumes a dataset's schedule. */
function scheduleForm(schedule: "pause" | "resume"): StudioForm {
  return {
    async run(fields, ctx) {
      await execute(updateDataset, { path: datasetPath(fields), body: { schedule } }, ctx);
      return `${datasetPage(fields)}#schedule`;
    },
    page: datasetPage,
  };
}

async function promote(fields: StudioFields, ctx: Context): Promise<string> {
  const { run_id, version_id, visibility } = fields;
  const body = {
    ...(version_id ? { version_id, expected_current: currentOf(fields)?.[0] ?? null } : { run_id }),
    roll_back: version_id !== undefined,
    activate: false,
    ...(visibility === "public" && { visibility: "public" as const }),
  };
  const reply = await execute(promoteTable, { path: datasetPath(fields), body }, ctx);
  const asks = "approval" in reply ? reply.approval?.approval_url : undefined;
  return asks === undefined ? datasetPage(fields) : new URL(asks).pathname;
}
