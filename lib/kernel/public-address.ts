import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A cloud's metadata service, at an address in a public range. */
const METADATA = "168.63.129.16";
/** IPv6 global unicast. Ranges outside it, such as 64:ff9b:1::/48, are not on the public internet. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an IP address is on the public internet: not loopback, private, link-local, a cloud's metadata service or in
 * any other special range.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text); // reads ::ffff:10.0.0.1 as 10.0.0.1
  if (address.range() !== "unicast") return false;
  return address instanceof ipaddr.IPv6 ? address.match(GLOBAL_V6) : address.toString() !== METADATA;
}
