import { keyKindOf } from "@/lib/auth/key-form";
import { withoutEnd, withoutStart } from "@/lib/kernel/trim-signs";

/** What a pasted string is, judging by its form. */
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

/** The bare key or token: removes what is copied along with it from a header or a shell command. */
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

/** Sends no request. */
export function credentialForm(text: string): CredentialForm {
  if (text === "") return "empty";
  const oauth = /^svc_(oat|ort|oac|ocs)_([A-Za-z0-9_-]*)$/.exec(text);
  if (oauth) return oauth[2]?.length === OAUTH_LENGTH ? (OAUTH[oauth[1] ?? ""] ?? "foreign") : "cut";
  const [, kind, body = ""] = /^svc_(use|live|cli)_(.*)$/.exec(text) ?? [];
  if (!kind) return "foreign";
  if (kind === "live") return "live"; // complete or not, the connector does not accept it
  return body.length === KEY_LENGTH ? (keyKindOf(text) ?? "typo") : "cut";
}
