import { baseUrl } from "@/lib/kernel/env";

/**
 * A secret that a form without script made, on its way to the page that shows it: in a cookie of that page alone, which
 * no script reads and which ends after a minute. No address has it.
 */
const SECONDS = 60;

const nameOf = (): string => `${baseUrl().startsWith("https:") ? "__Secure-" : ""}parquetry-shown`;

/** The Set-Cookie line that brings a watch's secret to a page. */
export function shownSecretCookie(watchId: string, secret: string, path: string): string {
  const secure = baseUrl().startsWith("https:") ? "; Secure" : "";
  return `${nameOf()}=${watchId}.${secret}; Path=${path}; Max-Age=${SECONDS}; HttpOnly; SameSite=Strict${secure}`;
}

/** The secret of this watch, where its form has just made it. `cookie` reads one by its name. */
export function shownSecret(watchId: string, cookie: (name: string) => string | undefined): string | undefined {
  const [id, secret] = cookie(nameOf())?.split(".") ?? [];
  return id === watchId ? secret : undefined;
}
