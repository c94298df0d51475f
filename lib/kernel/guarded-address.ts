import type { LookupAddress, lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";

/** Decides whether connections to an IP address are allowed. */
export type IsAllowed = (address: string) => boolean;

/** Its message never reveals what a name resolved to. */
export class AddressRejected extends Error {
  constructor() {
    super("not a public address");
  }
}

/**
 * Whether a URL's host is a literal IP address that is not allowed. Literals need no lookup, which would check them.
 */
export function isRejectedLiteral(hostname: string, isAllowed: IsAllowed): boolean {
  const name = hostname.replace(/^\[|\]$/g, "");
  return isIP(name) !== 0 && !isAllowed(name);
}

/**
 * A DNS lookup for sockets that returns only addresses it has checked, so that no name is resolved a second time for
 * the connection. Every address of the name must be allowed.
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
