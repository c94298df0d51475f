import { type Connecting, checkAddress, portOf } from "./connection";
import { SourceFailure } from "./source-failure";

/**
 * Whether events may be sent to a URL: only https, by the rules of sources, or http to services in the administrator's
 * network that were opened. The addresses that its name resolves to are checked on each request.
 */
export function isWebhookAddress(url: URL, connecting: Connecting): boolean {
  const isOpened = connecting.privateHosts.includes(`${url.hostname}:${portOf(url)}`);
  if (url.protocol !== "https:" && !isOpened) return false;
  try {
    checkAddress(url, connecting);
    return true;
  } catch (error) {
    if (error instanceof SourceFailure) return false;
    throw error;
  }
}
