const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Schemes of programs on the person's machine, each with the only URL allowed for it. */
const APP_CALLBACKS: ReadonlySet<string> = new Set(["cursor://anysphere.cursor-mcp/oauth/callback"]);

const ADDRESS_MAX = 2000;

/**
 * Whether codes may ever be sent to this URL: https anywhere, http to the person's own machine, and the known callback
 * URLs of programs.
 */
export function isRedirectUri(text: string): boolean {
  if (APP_CALLBACKS.has(text)) return true;
  if (text.length > ADDRESS_MAX || !/^[\x21-\x7e]+$/.test(text) || text.includes("#") || !URL.canParse(text))
    return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
}

/** Whether the URL is one that a program on the person's own machine listens on. */
export const isLoopback = (text: string): boolean =>
  URL.canParse(text) && new URL(text).protocol === "http:" && LOOPBACK.has(new URL(text).hostname);

/**
 * Whether a browser may be sent there without the person's consent: only to programs on their own machine. Programs
 * register themselves, so any other site could use us as an open redirector to its own URL (RFC 9700, 4.11.2).
 */
export const isReachedUnasked = (location: string): boolean =>
  isLoopback(location) || APP_CALLBACKS.has(location.replace(/[?#].*$/, ""));

/**
 * Whether a requested URL is one of the registered ones: an exact match, except that the port may differ on the
 * person's own machine (RFC 8252, 7.3).
 */
export function isRegistered(asked: string, registered: readonly string[]): boolean {
  if (!isRedirectUri(asked)) return false;
  return registered.some(
    (address) =>
      address === asked || (isLoopback(address) && isLoopback(asked) && withoutPort(address) === withoutPort(asked)),
  );
}

/** Removed from the text itself, so that nothing else in it is normalised. */
const withoutPort = (text: string): string => text.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?#]*)):\d+(?=[/?#]|$)/, "$1");
