import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A cloud's metadata service, in the middle of public addresses. */
const METADATA = "168.63.129.16";
/** All that is given out of IPv6: ranges outside, such as 64:ff9b:1::/48, are not the public internet. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an IP address is one of the public internet: not of one's own machine, a private network, a link, a cloud's
 * metadata or any other special range.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text); // reads ::ffff:10.0.0.1 as 10.0.0.1
  if (address.range() !== "unicast") return false;
  return address instanceof ipaddr.IPv6 ? address.match(GLOBAL_V6) : address.toString() !== METADATA;
}
