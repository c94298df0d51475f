/** The id and secret in a Basic header, which clients form-encode (RFC 6749, 2.3.1); undefined if there are none. */
export function basicCredentials(authorization: string | null): readonly [id: string, secret: string] | undefined {
  const match = /^basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? "");
  const text = match ? Buffer.from(match[1] as string, "base64").toString() : "";
  const colon = text.indexOf(":");
  if (colon < 0) return undefined;
  try {
    return [decodeURIComponent(text.slice(0, colon)), decodeURIComponent(text.slice(colon + 1))];
  } catch {
    return undefined;
  }
}

/** The same header with nothing encoded, for code that does not decode it. */
export function plainBasic(authorization: string | null): string | null {
  const found = basicCredentials(authorization);
  return found ? `Basic ${Buffer.from(found.join(":")).toString("base64")}` : authorization;
}

/** The id that a client claims, in the header or the form; empty if none. */
export const clientIdOf = (form: { fields: ReadonlyMap<string, string>; authorization: string | null }): string =>
  basicCredentials(form.authorization)?.[0] ?? form.fields.get("client_id") ?? "";
