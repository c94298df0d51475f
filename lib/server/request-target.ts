import type { ErrorCode } from "@/lib/kernel/errors";

export interface Target {
  /** Origin form: path and query. */
  url: string;
  /** The path, decoded once; as received if it cannot be decoded. */
  path: string;
  /** Under /api, where errors are JSON envelopes. */
  api: boolean;
  /** The error code if the target is rejected. */
  rejected?: ErrorCode;
}

/**
 * Converts a request target to origin form, or rejects one that Next's router and ours could interpret differently, or
 * a page's with U+0000, which the database cannot store. Pure.
 */
export function readTarget(raw: string): Target {
  const url = originForm(raw);
  if (url === null) return { url: "/", path: "/api", api: true, rejected: "invalid_request" };
  const path = url.split("?", 1)[0] ?? "/";
  const decoded = decode(path);
  if (decoded === null) return { url, path, api: isApi(path), rejected: "invalid_request" };
  const api = isApi(decoded) || isApi(path);
  if (/%2f|%5c/i.test(path) || isAmbiguous(decoded, api)) return { url, path: decoded, api, rejected: "not_found" };
  // the API names the parameter
  return { url, path: decoded, api, ...(!api && url.includes("%00") && { rejected: "invalid_request" as const }) };
}

/** The path as it was sent. */
export const pathOf = (target: Pick<Target, "url">): string => target.url.split("?", 1)[0] ?? "";

const isApi = (path: string) => path === "/api" || path.startsWith("/api/");

/** RFC 9112 section 3.2: origin form or, as a proxy would send it, absolute form. */
function originForm(raw: string): string | null {
  if (raw.startsWith("/")) return raw.split("#", 1)[0] ?? raw;
  if (!/^https?:\/\//i.test(raw) || !URL.canParse(raw)) return null;
  const { pathname, search } = new URL(raw);
  return `${pathname}${search}`;
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/**
 * An encoded slash or backslash is ambiguous, because it is part of a segment for Next and a separator for our own
 * tables. Dot segments, control characters and a leading `//` are also rejected everywhere; repeated slashes and
 * backslashes only under /api (Next redirects them on pages).
 */
function isAmbiguous(decoded: string, api: boolean): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(decoded) || /^[/\\]{2}/.test(decoded)) return true;
  if (/(^|[/\\])\.{1,2}([/\\]|$)/.test(decoded)) return true;
  return api && /\/\/|\\/.test(decoded);
}
