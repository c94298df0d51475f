import { admit } from "@/lib/access/authenticate";
import { personOf } from "@/lib/access/authorize";
import { takeAccount, takeMetadataRequest } from "@/lib/access/quotas";
import { storeUpload } from "@/lib/operations/build/uploads";
import { execute } from "@/lib/operations/execute";
import { suggestedName } from "@/lib/schemas/upload";
import { credentialsOf } from "./credentials";
import type { Call, Endpoint } from "./endpoint";
import { failureOf } from "./failure-of";
import { type FileForm, readFileForm } from "./multipart-file";
import { rejectedForm } from "./rejected-form";
import { rejectForeignOrigin } from "./same-origin";
import { backToPage, formProblem, isStudioForm } from "./studio-form";

/** The reply to the studio's file form, posted without script. It stores the file and returns to its page. */
export const UPLOAD_FORM: Endpoint = {
  isPersonal: true,
  takesFile: ["POST"],
  answers: { POST: answerUploadForm },
  rejected: rejectedForm,
};

async function answerUploadForm({ request, ctx }: Call): Promise<Response> {
  let page = "/studio/new/uploads";
  try {
    await takeMetadataRequest(ctx);
    rejectForeignOrigin(request, new URL(ctx.baseUrl).origin);
    const admitted = await admit("account", credentialsOf(request), ctx);
    const { userId, id } = personOf(admitted);
    await takeAccount(userId, ctx);
    const { fields, file } = await readFileForm(request);
    const { workspace_id = "" } = fields;
    page += `?workspace=${encodeURIComponent(workspace_id)}`;
    if (!isStudioForm(fields, id)) return backToPage(page, { error: "again" }, ctx);
    if (!file) return backToPage(page, { error: "no_file" }, ctx);
    const name = nameOf(fields, file);
    const { chunks, mediaType, fileName } = file;
    const body = { chunks, mediaType, declaredBytes: undefined, declaredDigest: undefined };
    const query = { file_name: fileName.slice(0, 255) };
    const { outcome } = await execute(storeUpload, { path: { workspace_id, name }, query, body }, admitted);
    return backToPage(page, { [outcome]: name }, ctx);
  } catch (thrown) {
    const told = formProblem(failureOf(thrown));
    const own = OWN_PROBLEMS[told?.error ?? ""];
    return told
      ? backToPage(page, { ...told, ...(own && { error: own }) }, ctx)
      : rejectedForm(thrown, { request, ctx });
  }
}

/** Codes with a different meaning for a file than for other forms. */
const OWN_PROBLEMS: Readonly<Record<string, string>> = {
  conflict: "uploads_full",
  invalid_value: "upload_invalid",
  invalid_request: "upload_broken",
};

const nameOf = ({ name = "" }: FileForm["fields"], { fileName }: NonNullable<FileForm["file"]>): string =>
  name.trim() === "" ? suggestedName(fileName) : name.trim();
