import type { SecretValue } from "@/lib/schemas/secret";
import { SourceFailure } from "./source-failure";

/** A stored credential, decrypted for one request. Never written anywhere. */
export interface SourceCredential {
  name: string;
  value: SecretValue;
  /** Exact names, or `*.suffix`. Empty: usable nowhere. */
  hosts: readonly string[];
}

/** Whether a person listed this host for the credential. Only for https. */
export function allowsHost({ hosts }: SourceCredential, url: URL): boolean {
  if (url.protocol !== "https:" && !isLoopback(url)) return false;
  return hostListed(hosts, url);
}

export function hostListed(hosts: readonly string[], url: URL): boolean {
  const host = url.hostname.toLowerCase().replace(/\.$/, "");
  return hosts.some((listed) => (listed.startsWith("*.") ? host.endsWith(listed.slice(1)) : host === listed));
}

/** A stand-in on this machine has no certificate, and nobody in between can listen. */
const isLoopback = (url: URL): boolean => url.hostname === "127.0.0.1" || url.hostname === "[::1]";

export function checkHost(credential: SourceCredential, url: URL): void {
  if (allowsHost(credential, url)) return;
  throw new SourceFailure("secret_host_refused", `The credential ${credential.name} is not allowed for ${url.host}.`);
}

/** The URL and header fields that carry the credential, by its kind. */
export function withCredential(url: URL, { value }: SourceCredential): { url: URL; headers: Record<string, string> } {
  switch (value.kind) {
    case "header":
      return { url, headers: { [value.field.toLowerCase()]: value.value } };
    case "bearer":
      return { url, headers: { authorization: `Bearer ${value.token}` } };
    case "basic":
      return { url, headers: { authorization: `Basic ${Buffer.from(userAndPassword(value)).toString("base64")}` } };
    case "query": {
      const named = new URL(url);
      named.searchParams.set(value.field, value.value);
      return { url: named, headers: {} };
    }
    case "s3":
      throw new SourceFailure("source_refused", "A credential of kind s3 cannot be sent to a web address.");
  }
}

const userAndPassword = (value: { username: string; password: string }): string =>
  `${value.username}:${value.password}`;

/** The strings that must not occur in a reply. */
export function secretTexts({ value }: SourceCredential): string[] {
  switch (value.kind) {
    case "header":
    case "query":
      return [value.value];
    case "bearer":
      return [value.token];
    case "basic":
      return [value.password, userAndPassword(value)];
    case "s3":
      return [value.secret_access_key];
  }
}
