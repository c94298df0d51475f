import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Whether an IP address is one of the public internet: not of one's own machine, a private network, a link, a cloud's
 * metadata or any other special range.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  return ipaddr.process(text).range() === "unicast"; // process() reads ::ffff:10.0.0.1 as 10.0.0.1
}
