import type { Credentials } from "@/lib/access/authenticate";
import { sessionCookieName } from "@/lib/auth/session";

const BEARER = /^bearer\s/i;

/** The credentials in a request. */
export function credentialsOf({ headers }: Pick<Request, "headers">): Credentials {
  return {
    key: headers.get("x-api-key") || undefined,
    bearer: BEARER.test(headers.get("authorization") ?? ""),
    sessionCookie: cookieOf(headers.get("cookie"), sessionCookieName()),
  };
}

/** The value of a cookie; undefined when the browser sent none. */
export function cookieOf(header: string | null, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const [key, value] = pair.split("=", 2);
    if (key?.trim() === name) return value?.trim() || undefined;
  }
  return undefined;
}

/** All cookies of a request by name, with decoded values where possible. */
export function cookiesOf(header: string | null): Record<string, string> {
  const pairs = (header ?? "").split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at < 0 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
