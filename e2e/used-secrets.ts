import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Where a run keeps what must not appear elsewhere: the service's output, the secrets that were used, the bodies of
 * errors.
 */
export function runFolder(...parts: string[]): string {
  const folder = join(`${process.env.PARQUETRY_E2E_DIR ?? "e2e"}-run`, ...parts);
  mkdirSync(folder, { recursive: true });
  return folder;
}

export interface UsedSecret {
  what: string;
  secret: string;
}

const file = () => join(runFolder(), "secrets.jsonl");
const noted = new Set<string>();

/**
 * Records a secret that a test uses, creates or receives: secrets.teardown.ts looks for it in all logs, in the database
 * and in all error bodies. Short ones and plain words, which occur in texts by chance, are left out, except for device
 * codes. Returns the secret.
 */
export function used(secret: string, what: string): string {
  const isTelling = USER_CODE.test(secret) || (secret.length >= 10 && !/^(?:[A-Za-z]+|\d+)$/.test(secret));
  if (isTelling && !noted.has(secret))
    appendFileSync(file(), `${JSON.stringify({ what, secret } satisfies UsedSecret)}\n`);
  noted.add(secret);
  return secret;
}

/** Everything that this run has recorded so far, without duplicates. */
export function usedSecrets(): UsedSecret[] {
  if (!existsSync(file())) return [];
  const entries = readFileSync(file(), "utf8").trimEnd().split("\n");
  return [
    ...new Map(entries.map((line) => JSON.parse(line) as UsedSecret).map((entry) => [entry.secret, entry])).values(),
  ];
}

const KEY = /svc_(?:use|live|cli)_[0-9A-Za-z]{46}|svc_odc_[\w-]{43}/g;
const USER_CODE = /^[B-DF-HJ-NP-TV-XZ]{4}-?[B-DF-HJ-NP-TV-XZ]{4}$/;
const LINK_TOKEN = /token=([A-Za-z0-9_.-]{20,})/g;
const COOKIE = /(?:^|[;\s,])((?:__Host-|__Secure-)?[\w.-]*(?:session|csrf|pkce|state|nonce|token))=([^;,\s]+)/gi;

/** Records the keys and link tokens in a string. */
export function noteFound(text: string, what: string): void {
  for (const [key] of text.matchAll(KEY)) used(key, `key in ${what}`);
  for (const [, token = ""] of text.matchAll(LINK_TOKEN)) used(token, `link token in ${what}`);
}

/** Records the cookies that identify a person. */
export function noteCookies(header: string, what: string): void {
  for (const [, name, value = ""] of header.matchAll(COOKIE)) {
    used(value, `cookie ${name} ${what}`);
    used(
      value.replace(/%[0-9A-F]{2}/gi, (sign) => String.fromCharCode(Number.parseInt(sign.slice(1), 16))),
      `cookie ${name} ${what}`,
    );
  }
}

const SECRET_FIELD = /pass|token|secret|credential|^value$|^key$|access_key|^username$|^user_code$|^device_code$/i;

/** Records the passwords, tokens and credentials in a body sent about an account: JSON or a form. */
export function noteFields(body: string, what: string): void {
  const visit = (name: string, value: unknown): void => {
    if (typeof value === "object" && value !== null)
      for (const [key, inner] of Object.entries(value)) visit(key, inner);
    else if (typeof value === "string" && SECRET_FIELD.test(name) && !value.includes("@"))
      used(value, `${name} ${what}`);
  };
  if (/^\s*[{[]/.test(body)) visit("", parsed(body));
  else for (const [name, value] of new URLSearchParams(body)) visit(name, value);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Records the secrets among settings: by their names, and passwords in URLs. */
export function noteSettings(settings: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(settings)) {
    if (/SECRET|_KEYS?$|PASSWORD|TOKEN/.test(name))
      for (const part of [value, ...value.split(/[,:]/)]) used(part, `setting ${name}`);
    const password = URL.canParse(value) ? new URL(value).password : "";
    if (password !== "") for (const part of [password, decodeURIComponent(password)]) used(part, `password of ${name}`);
  }
}
