import OAuth2Server from "@node-oauth/oauth2-server";
import { plainBasic } from "./basic-credentials";
import { DEVICE_CODE_GRANT } from "./command-line-client";
import { deviceCodeGrant } from "./device-grant";
import { ACCESS_SECONDS, DEVICE_CREDENTIAL_SECONDS, REFRESH_SECONDS } from "./lifetimes";
import { oauthModel } from "./model";
import { type OAuthReply, oauthError, oauthReply } from "./oauth-reply";

/** A posted form: names and values, and the header that may carry the client's password. */
export interface PostedForm {
  fields: ReadonlyMap<string, string>;
  authorization: string | null;
}

/**
 * Exchanges a code or a refresh token (RFC 6749, 4.1.3 and 6) or a device code (RFC 8628, 3.4) for tokens that are
 * valid only for the resource that the person consented to (RFC 8707).
 */
export async function exchange({ fields, authorization }: PostedForm, now: Date): Promise<OAuthReply> {
  const request = new OAuth2Server.Request({
    method: "POST",
    query: {},
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "content-length": "1", // the library reads no body without it
      ...(authorization !== null && { authorization: plainBasic(authorization) ?? authorization }),
    },
    body: Object.fromEntries(fields),
  });
  const response = new OAuth2Server.Response({});
  try {
    await serverAt(fields.get("resource"), now).token(request, response);
    const isDevice = fields.get("grant_type") === DEVICE_CODE_GRANT;
    return oauthReply(200, { ...response.body, expires_in: isDevice ? DEVICE_CREDENTIAL_SECONDS : ACCESS_SECONDS });
  } catch (error) {
    if (!(error instanceof OAuth2Server.OAuthError) || error.code >= 500) throw causeOf(error);
    return oauthError(error.name, sentence(error.message));
  }
}

const serverAt = (resource: string | undefined, now: Date): OAuth2Server =>
  new OAuth2Server({
    model: oauthModel(resource, now),
    accessTokenLifetime: ACCESS_SECONDS,
    refreshTokenLifetime: REFRESH_SECONDS,
    extendedGrantTypes: { [DEVICE_CODE_GRANT]: deviceCodeGrant(resource, now) },
    // each client authenticates as registered: see model.ts
    requireClientAuthentication: { authorization_code: false, refresh_token: false, [DEVICE_CODE_GRANT]: false },
  });

/** The library wraps the errors thrown to it. */
const causeOf = (error: unknown): unknown =>
  error instanceof Error && "inner" in error && error.inner ? error.inner : error;

/** RFC 6749 forbids these quotes in descriptions. */
const sentence = (text: string): string => `${text.replace(/[`"\\]/g, "'").replace(/\.?$/, "")}.`;
