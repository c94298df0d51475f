import { addressSubject } from "@/lib/limits/subject";
import { insertDeviceCode } from "@/lib/store/people/device-codes";
import { storeClient } from "@/lib/store/people/oauth-clients";
import { COMMAND_LINE } from "./command-line-client";
import { DEVICE_CODE_SECONDS } from "./lifetimes";
import { type OAuthReply, oauthError, oauthReply } from "./oauth-reply";
import { readableName } from "./readable-name";
import { isSameResource } from "./same-resource";
import { readScopes } from "./scopes";
import { oauthAddresses } from "./server-metadata";
import { newOAuthSecret, oauthHash } from "./token";
import type { PostedForm } from "./token-endpoint";
import { provenClient } from "./token-management";
import { formatUserCode, newUserCode } from "./user-code";

const INTERVAL_SECONDS = 5;
const NAME_MAX = 60;

interface Asking {
  /** The service's public URL. */
  base: string;
  /** Where the request comes from. */
  address: string | undefined;
  now: Date;
}

/**
 * Issues two codes: one that a command line polls with, and one that its person types at `/device` (RFC 8628, 3.1 and
 * 3.2).
 */
export async function authorizeDevice(form: PostedForm, { base, address, now }: Asking): Promise<OAuthReply> {
  const rejection = await rejectionOf(form);
  if (rejection) return rejection;
  const { fields } = form;
  const scopes = readScopes(fields.get("scope"));
  if (!scopes) return oauthError("invalid_scope", "requested scope is not supported");
  const { resources, device } = oauthAddresses(base);
  const asked = fields.get("resource");
  const resource = resources.find((known) => asked === undefined || isSameResource(asked, known));
  if (resource === undefined) return oauthError("invalid_target", `resource must be ${resources.join(" or ")}`);
  await storeClient(COMMAND_LINE, now);
  const [code, userCode] = [newOAuthSecret("device"), newUserCode()];
  await insertDeviceCode({
    hash: oauthHash(code),
    userHash: oauthHash(userCode),
    clientId: COMMAND_LINE.id,
    scopes,
    resource,
    deviceName: [...readableName(fields.get("device_name") ?? "")].slice(0, NAME_MAX).join("").trim() || null,
    fromBlock: address === undefined ? null : addressSubject(address),
    createdAt: now,
    expiresAt: new Date(now.getTime() + DEVICE_CODE_SECONDS * 1000),
    intervalSeconds: INTERVAL_SECONDS,
  });
  const shown = formatUserCode(userCode);
  return oauthReply(200, {
    device_code: code,
    user_code: shown,
    verification_uri: device,
    verification_uri_complete: `${device}?user_code=${shown}`,
    expires_in: DEVICE_CODE_SECONDS,
    interval: INTERVAL_SECONDS,
  });
}

async function rejectionOf(form: PostedForm): Promise<OAuthReply | undefined> {
  if (
    form.authorization === null &&
    form.fields.get("client_id") === COMMAND_LINE.id &&
    !form.fields.has("client_secret")
  )
    return undefined;
  if (!(await provenClient(form))) return oauthError("invalid_client", "client authentication failed");
  return oauthError(
    "unauthorized_client",
    "this client may not use the device authorization grant; use the authorization endpoint",
  );
}
