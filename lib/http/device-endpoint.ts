import { admit } from "@/lib/access/authenticate";
import { personOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { takeAccount, takeMetadataRequest } from "@/lib/access/quotas";
import type { Failure } from "@/lib/kernel/errors";
import { decideDeviceRequest } from "@/lib/operations/account/device-request";
import { execute } from "@/lib/operations/execute";
import { type AuthForm, readAuthForm } from "./auth-form";
import { credentialsOf } from "./credentials";
import type { Call, Endpoint } from "./endpoint";
import { failureOf } from "./failure-of";
import { isFormToken } from "./form-token";
import { rejectedForm } from "./rejected-form";
import { rejectForeignOrigin } from "./same-origin";

/** The reply to a device form posted without script: it returns to the page, which shows the outcome. */
export const DEVICE_FORM: Endpoint = { isPersonal: true, answers: { POST: answerDeviceForm }, rejected: rejectedForm };

async function answerDeviceForm({ request, ctx }: Call): Promise<Response> {
  let form: AuthForm | undefined;
  try {
    await takeMetadataRequest(ctx);
    rejectForeignOrigin(request, new URL(ctx.baseUrl).origin);
    form = (await readAuthForm(request)) ?? {};
    const admitted = await admit("account", credentialsOf(request), ctx);
    const { userId, id } = personOf(admitted);
    await takeAccount(userId, ctx);
    const { user_code = "", decision, workspace_id = "", token } = form;
    if (!isFormToken(token, id, user_code) || (decision !== "allow" && decision !== "refuse"))
      return back({ user_code, error: "again" }, ctx);
    const answer = await execute(decideDeviceRequest, { body: { user_code, decision, workspace_id } }, admitted);
    return back({ answered: answer.decision }, ctx);
  } catch (thrown) {
    const told = form && reasonOf(failureOf(thrown), form);
    return told ? back(told, ctx) : rejectedForm(thrown, { request, ctx });
  }
}

/**
 * Where the page continues after an error. People who are not signed in are sent to sign in, and back. Undefined for
 * requests that no person made.
 */
function reasonOf(
  { status, retryAfterSeconds = 1 }: Failure,
  { user_code = "" }: AuthForm,
): Record<string, string> | undefined {
  if (status === 401) return { user_code };
  if (status === 429) return { error: "throttled", wait: String(Math.max(1, Math.ceil(retryAfterSeconds))) };
  if (status === 503) return { user_code, error: "unavailable" };
  return status === 404 || status === 400 || status === 422 ? { error: "gone" } : undefined;
}

const back = (told: Readonly<Record<string, string>>, { baseUrl, requestId }: Context): Response =>
  new Response(null, {
    status: 303,
    headers: {
      location: `${baseUrl}/device?${new URLSearchParams(told)}`,
      "cache-control": "no-store",
      "x-request-id": requestId,
    },
  });
