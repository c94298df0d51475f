import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { personOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { takeDeviceCode } from "@/lib/access/quotas";
import { fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { addressSubject } from "@/lib/limits/subject";
import { oauthHash } from "@/lib/oauth/token";
import { formatUserCode, readUserCode } from "@/lib/oauth/user-code";
import { operation } from "@/lib/operations/operation";
import { type DeviceAnswer, type DeviceRequest, deviceAnswerSchema, deviceRequestSchema } from "@/lib/schemas/device";
import { allowDevice, findWaitingDevice, rejectedevice, type WaitingDevice } from "@/lib/store/people/device-codes";

const userCodeSchema = z
  .string()
  .max(100)
  .describe("The code shown by the command line. Case and hyphen are ignored: BCDF-GHJK, bcdfghjk.");

const decisionSchema = z.strictObject({
  user_code: userCodeSchema,
  decision: z.enum(["allow", "refuse"]),
  workspace_id: z.string().optional().describe("The workspace the command line gets access to; required with allow."),
});

const http = { path: "/api/account/device-request" } as const;
const errors = ["invalid_value", "not_found", "daily_quota_exhausted"] as const;

/** GET the request of the command line with this code. */
export const getDeviceRequest = operation({
  name: "get_device_request",
  summary: "Get a device authorization request",
  description:
    "Looks up a request by its code. Each call counts as an attempt by the person and by their IP address, which " +
    "prevents guessing.",
  access: "account",
  quota: "account",
  http: { method: "GET", ...http },
  input: { query: z.strictObject({ user_code: userCodeSchema }) },
  output: deviceRequestSchema,
  errors: [...errors],
  async run({ query }, ctx): Promise<DeviceRequest> {
    const { code, waiting } = await waitingWith(query.user_code, ctx);
    const sameAddress =
      ctx.address === undefined || waiting.fromBlock === null
        ? null
        : waiting.fromBlock === addressSubject(ctx.address);
    return {
      schema_version: "service-device-request.v1",
      user_code: formatUserCode(code),
      name: waiting.deviceName,
      scopes: waiting.scopes,
      asked_at: waiting.createdAt.toISOString(),
      expires_at: waiting.expiresAt.toISOString(),
      same_address: sameAddress,
    };
  },
});

/** POST a person's answer to a command line's request. */
export const decideDeviceRequest = operation({
  name: "decide_device_request",
  summary: "Allow or deny a device authorization request",
  description:
    "Allowing signs the device in to one of the person's workspaces; the command line then fetches its credential. " +
    "Each code can be answered once, and each answer counts as an attempt, as a lookup does.",
  access: "account",
  quota: "account",
  http: { method: "POST", ...http },
  input: { body: decisionSchema },
  output: deviceAnswerSchema,
  errors: [...errors],
  async run({ body }, ctx): Promise<DeviceAnswer> {
    const { code, waiting } = await waitingWith(body.user_code, ctx);
    const answer = (decision: DeviceAnswer["decision"]) => ({
      schema_version: "service-device-answer.v1" as const,
      decision,
      name: waiting.deviceName,
    });
    if (body.decision === "refuse") {
      await rejectedevice(oauthHash(code), authorOf(ctx), ctx.now());
      return answer("refused");
    }
    const workspaceId = body.workspace_id ?? "";
    if (!isUuid(workspaceId)) throw fail("not_found", { message: "Choose one of your workspaces." });
    await allowDevice(oauthHash(code), { userId: personOf(ctx).userId, workspaceId }, authorOf(ctx), ctx.now());
    return answer("allowed");
  },
});

/** Counts the attempt before anything is compared. */
async function waitingWith(typed: string, ctx: Context): Promise<{ code: string; waiting: WaitingDevice }> {
  await takeDeviceCode(personOf(ctx).userId, ctx);
  const code = readUserCode(typed);
  if (!code)
    throw fail("invalid_value", {
      message: "Invalid code. A code has eight letters, such as BCDF-GHJK, without vowels or digits.",
    });
  const waiting = await findWaitingDevice(oauthHash(code), ctx.now());
  if (!waiting)
    throw fail("not_found", {
      message: "No request has this code. It was mistyped, already used, or has expired after 15 minutes.",
    });
  return { code, waiting };
}
