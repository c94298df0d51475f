import { baseUrl } from "@/lib/kernel/env";

/**
 * A secret created by a form without script, on its way to the page that shows it. It is kept for a minute in a cookie
 * that is sent only to that page and cannot be read by scripts. No URL contains it.
 */
const SECONDS = 60;

const nameOf = (): string => `${baseUrl().startsWith("https:") ? "__Secure-" : ""}parquetry-shown`;

/** The Set-Cookie line that carries a watch's secret to a page. */
export function shownSecretCookie(watchId: string, secret: string, path: string): string {
  const secure = baseUrl().startsWith("https:") ? "; Secure" : "";
  return `${nameOf()}=${watchId}.${secret}; Path=${path}; Max-Age=${SECONDS}; HttpOnly; SameSite=Strict${secure}`;
}

/** The secret of this watch, if its form has just created it. `cookie` reads a cookie by name. */
export function shownSecret(watchId: string, cookie: (name: string) => string | undefined): string | undefined {
  const [id, secret] = cookie(nameOf())?.split(".") ?? [];
  return id === watchId ? secret : undefined;
}
