import { type Connecting, checkAddress, portOf } from "./connection";
import { SourceFailure } from "./source-failure";

/**
 * Whether news may be sent to an address: https alone, and by the rules of sources; http at services of the
 * administrator's own network that they opened. Which addresses its name leads to is judged when it is asked.
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
