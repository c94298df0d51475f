import { baseUrl } from "@/lib/kernel/env";
import type { Failure } from "@/lib/kernel/errors";

/**
 * The faults of a recipe that was sent by a form without script, on their way to the page that shows them. They are
 * kept for two minutes in a cookie of the studio that scripts cannot read. The recipe itself stays in the browser's
 * history.
 */
const SECONDS = 120;
const FAULTS_SHOWN = 8;
const CHARACTERS_MAX = 240;

/** Room for a form with 64 KiB of text, each byte encoded in three characters, and its other fields. */
export const RECIPE_FORM_BYTES_MAX = 256 * 1024;

export interface ShownFault {
  pointer: string;
  message: string;
}

const nameOf = (): string => `${baseUrl().startsWith("https:") ? "__Secure-" : ""}parquetry-faults`;

/** The Set-Cookie line that carries the first faults to the recipe's page. */
export function faultsCookie({ faults, fact }: Failure): string {
  const shown = faults.length > 0 ? faults : [{ pointer: "", message: fact }];
  const cut = shown.slice(0, FAULTS_SHOWN).map(({ pointer, message }) => [shortened(pointer), shortened(message)]);
  const value = Buffer.from(JSON.stringify(cut)).toString("base64url");
  const secure = baseUrl().startsWith("https:") ? "; Secure" : "";
  return `${nameOf()}=${value}; Path=/studio; Max-Age=${SECONDS}; HttpOnly; SameSite=Strict${secure}`;
}

const shortened = (text: string): string =>
  text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}…`.toWellFormed() : text;

/** The faults that a form has just run into; none if the cookie has expired. `cookie` reads a cookie by name. */
export function shownFaults(cookie: (name: string) => string | undefined): ShownFault[] {
  const value = cookie(nameOf());
  if (value === undefined || value.length > 8 * 1024) return [];
  try {
    const read: unknown = JSON.parse(Buffer.from(value, "base64url").toString("utf8"));
    if (!Array.isArray(read)) return [];
    return read.flatMap((each) =>
      Array.isArray(each) && typeof each[0] === "string" && typeof each[1] === "string"
        ? [{ pointer: each[0], message: each[1] }]
        : [],
    );
  } catch {
    return [];
  }
}
