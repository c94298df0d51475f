import { keyKindOf } from "@/lib/auth/key-form";
import { withoutEnd, withoutStart } from "@/lib/kernel/trim-signs";

/** What a pasted text is, as far as its form tells. */
export type CredentialForm =
  | "use"
  | "live"
  | "cli"
  | "access"
  | "refresh"
  | "code"
  | "client"
  | "typo"
  | "cut"
  | "foreign"
  | "empty";

const OAUTH: Readonly<Record<string, CredentialForm>> = { oat: "access", ort: "refresh", oac: "code", ocs: "client" };
const KEY_LENGTH = 46;
const OAUTH_LENGTH = 43;

/** The bare key or token: what comes along when a header or a line of a shell is copied is taken off. Pure. */
export function bareCredential(pasted: string): string {
  const value = pasted
    .replace(/[\s\u200b-\u200d\ufeff]+/g, " ")
    .trim()
    .replace(/^(?:export )?PARQUETRY_KEY ?= ?/, "");
  return withoutEnd(withoutStart(value, "\"'`"), "\"'`;,")
    .replace(/^authorization ?: ?/i, "")
    .replace(/^bearer /i, "")
    .trim();
}

/** Pure: asks nobody. */
export function credentialForm(text: string): CredentialForm {
  if (text === "") return "empty";
  const oauth = /^svc_(oat|ort|oac|ocs)_([A-Za-z0-9_-]*)$/.exec(text);
  if (oauth) return oauth[2]?.length === OAUTH_LENGTH ? (OAUTH[oauth[1] ?? ""] ?? "foreign") : "cut";
  const [, kind, body = ""] = /^svc_(use|live|cli)_(.*)$/.exec(text) ?? [];
  if (!kind) return "foreign";
  if (kind === "live") return "live"; // whole or not, it does not open the connector
  return body.length === KEY_LENGTH ? (keyKindOf(text) ?? "typo") : "cut";
}
