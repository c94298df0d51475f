import OAuth2Server from "@node-oauth/oauth2-server";
import { keyEnds, newKey } from "@/lib/auth/access-key";
import { type PolledDevice, pollDevice, takeDevice } from "@/lib/store/people/device-codes";
import { touchClient } from "@/lib/store/people/oauth-clients";
import { DEVICE_CREDENTIAL_SECONDS } from "./lifetimes";
import { isSameResource } from "./same-resource";
import { isOAuthSecret, oauthHash } from "./token";

/**
 * The grant of RFC 8628, 3.4, for the library: a class that it instantiates for each request. `resource`: the URL that
 * the command line requests a token for.
 */
export function deviceCodeGrant(resource: string | undefined, now: Date): typeof OAuth2Server.AbstractGrantType {
  return class DeviceCodeGrant extends OAuth2Server.AbstractGrantType {
    async handle({ body }: OAuth2Server.Request, client: OAuth2Server.Client): Promise<OAuth2Server.Token> {
      const text: unknown = body?.device_code;
      if (typeof text !== "string") throw rejection("invalid_request", "Missing parameter: device_code");
      const polled = isOAuthSecret(text, "device") ? await pollDevice(oauthHash(text), client.id, now) : undefined;
      const allowed = judged(polled, resource, now);
      const accessToken = newKey("cli");
      const expiresAt = new Date(now.getTime() + DEVICE_CREDENTIAL_SECONDS * 1000);
      const isFirst = await takeDevice(
        oauthHash(text),
        { hash: oauthHash(accessToken), ...keyEnds(accessToken), expiresAt },
        now,
      );
      if (!isFirst) throw rejection("invalid_grant", USED);
      await touchClient(client.id, now);
      return { accessToken, scope: allowed.scopes, client, user: { id: allowed.connectionId } };
    }
  };
}

const USED = "device_code has already been used or its authorization was revoked";

/** The device request, if it was allowed and may be collected. */
function judged(polled: PolledDevice | undefined, asked: string | undefined, now: Date): PolledDevice {
  if (!polled) throw rejection("invalid_grant", "device_code is unknown");
  if (polled.usedAt) throw rejection("invalid_grant", USED);
  if (polled.answeredAt && !polled.connectionId) throw rejection("access_denied", "the user denied the request");
  if (polled.expiresAt <= now) throw rejection("expired_token", "device_code has expired");
  if (polled.tooSoon) throw rejection("slow_down", "increase the polling interval by 5 seconds");
  if (!polled.answeredAt) throw rejection("authorization_pending", "the authorization request is still pending");
  if (asked !== undefined && !isSameResource(asked, polled.resource))
    throw rejection("invalid_target", `resource must be ${polled.resource}`);
  return polled;
}

const rejection = (name: string, message: string): Error => new OAuth2Server.OAuthError(message, { code: 400, name });
