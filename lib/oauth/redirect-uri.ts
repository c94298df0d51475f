const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Schemes of programs on the person's machine, each with the one URL that it is allowed. */
const APP_CALLBACKS: ReadonlySet<string> = new Set(["cursor://anysphere.cursor-mcp/oauth/callback"]);

const ADDRESS_MAX = 2000;

/**
 * Whether codes may ever be sent to this address: https anywhere, http to one's own machine, and the known addresses of
 * programs.
 */
export function isRedirectUri(text: string): boolean {
  if (APP_CALLBACKS.has(text)) return true;
  if (text.length > ADDRESS_MAX || !/^[\x21-\x7e]+$/.test(text) || text.includes("#") || !URL.canParse(text))
    return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
}

/** Whether the address is one that a program on the person's own machine listens on. */
export const isLoopback = (text: string): boolean =>
  URL.canParse(text) && new URL(text).protocol === "http:" && LOOPBACK.has(new URL(text).hostname);

/**
 * Whether a browser may be sent there without its person having said so: to programs on their own machine alone.
 * Programs register themselves, so any
 * other site could have put its address behind ours (RFC 9700, 4.11.2).
 */
export const isReachedUnasked = (location: string): boolean =>
  isLoopback(location) || APP_CALLBACKS.has(location.replace(/[?#].*$/, ""));

/**
 * Whether an asked address is one of the registered ones: by the letter; on one's own machine the port may be any (RFC
 * 8252, 7.3).
 */
export function isRegistered(asked: string, registered: readonly string[]): boolean {
  if (!isRedirectUri(asked)) return false;
  return registered.some(
    (address) =>
      address === asked || (isLoopback(address) && isLoopback(asked) && withoutPort(address) === withoutPort(asked)),
  );
}

/** Cut out of the text, so that nothing else of it is read differently. */
const withoutPort = (text: string): string => text.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?#]*)):\d+(?=[/?#]|$)/, "$1");
