import type { LookupAddress, lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";

/** Decides whether an IP address may be connected to. */
export type IsAllowed = (address: string) => boolean;

/** The message says no more than this, whatever a name led to. */
export class AddressRejected extends Error {
  constructor() {
    super("not a public address");
  }
}

/** Whether a URL's host is an IP address itself that may not be connected to; no look-up would judge it. */
export function isRejectedLiteral(hostname: string, isAllowed: IsAllowed): boolean {
  const name = hostname.replace(/^\[|\]$/g, "");
  return isIP(name) !== 0 && !isAllowed(name);
}

/**
 * A look-up for sockets that gives judged addresses only, so that nothing is looked up twice: every address of the name
 * must be allowed.
 */
export function judgedLookup(lookup: typeof systemLookup, isAllowed: IsAllowed): LookupFunction {
  return (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      const addresses = found as LookupAddress[] | undefined;
      const [first] = addresses ?? [];
      if (error || !addresses || !first) return callback(error ?? new AddressRejected(), "", 0);
      if (!addresses.every(({ address }) => isAllowed(address))) return callback(new AddressRejected(), "", 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
