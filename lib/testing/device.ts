import { DEVICE_CODE_GRANT } from "@/lib/oauth/command-line-client";
import { authorizeDevice } from "@/lib/oauth/device-authorization";
import { oauthHash } from "@/lib/oauth/token";
import { exchange, type PostedForm } from "@/lib/oauth/token-endpoint";
import { readUserCode } from "@/lib/oauth/user-code";
import { allowDevice, rejectedevice } from "@/lib/store/people/device-codes";

const CLIENT = "parquetry-cli";

export const postedForm = (fields: Record<string, string>, authorization: string | null = null): PostedForm => ({
  fields: new Map(Object.entries(fields)),
  authorization,
});

/** A command line that waits for approval: it can be answered, and can ask for the result. */
export async function waitingDevice(base: string, now: Date, fields: Record<string, string> = {}) {
  const { body } = await authorizeDevice(postedForm({ client_id: CLIENT, ...fields }), {
    base,
    address: "192.0.2.7",
    now,
  });
  const [code, userCode] = [String(body?.device_code), String(body?.user_code)];
  const userHash = oauthHash(readUserCode(userCode) ?? "");
  return {
    code,
    userCode,
    allow: (who: { userId: string; workspaceId: string }, at = now) =>
      allowDevice(userHash, who, { actor: "person", userId: who.userId }, at),
    reject: (userId: string, at = now) => rejectedevice(userHash, { actor: "person", userId }, at),
    poll: (at: Date, more: Record<string, string> = {}) =>
      exchange(postedForm({ grant_type: DEVICE_CODE_GRANT, client_id: CLIENT, device_code: code, ...more }), at),
  };
}

/** The credential of a command line that a person has approved. */
export async function signedInDevice(
  base: string,
  who: { userId: string; workspaceId: string },
  fields: Record<string, string> = {},
): Promise<string> {
  const now = new Date();
  const device = await waitingDevice(base, now, fields);
  await device.allow(who, now);
  return String((await device.poll(now)).body?.access_token);
}
