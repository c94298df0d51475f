import { BlockList, isIP } from "node:net";
import { canonicalAddress } from "@/lib/limits/address";

const family = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** The proxies whose X-Forwarded-For is trusted. Throws on an entry that is neither an IP address nor a CIDR block. */
export function trustedProxies(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", prefix, ...rest] = entry.split("/");
    const canonical = canonicalAddress(address);
    if (!canonical || rest.length > 0) throw badEntry(entry);
    if (prefix === undefined) list.addAddress(canonical, family(canonical));
    else list.addSubnet(canonical, prefixBits(entry, address, canonical, prefix), family(canonical));
  }
  return list;
}

const badEntry = (entry: string) =>
  new Error(`PARQUETRY_TRUSTED_PROXIES: "${entry}" is neither an IP address nor a CIDR block`);

/** `::ffff:10.0.0.0/104` means `10.0.0.0/8`. */
function prefixBits(entry: string, written: string, canonical: string, prefix: string): number {
  const mapped = isIP(written) === 6 && isIP(canonical) === 4;
  const bits = Number(prefix) - (mapped ? 96 : 0);
  const most = isIP(canonical) === 4 ? 32 : 128;
  if (!/^\d{1,3}$/.test(prefix) || bits < 0 || bits > most) throw badEntry(entry);
  return bits;
}

/**
 * The true client: the socket's peer or, as long as the current hop is a trusted proxy, the next entry of
 * X-Forwarded-For from the right. An entry that is not an address ends the search: everything to its left is only the
 * client's claim.
 */
export function trueClientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: BlockList,
): string {
  let client = canonicalAddress(peer?.replace(/%.*$/, "") ?? "") ?? "0.0.0.0";
  const hops = forwardedFor?.split(",") ?? [];
  while (hops.length > 0 && isTrusted(client, trusted)) {
    const hop = forwardedAddress(hops.pop() ?? "");
    if (hop === null) break;
    client = hop;
  }
  return client;
}

export const isTrusted = (address: string, trusted: BlockList): boolean => trusted.check(address, family(address));

/** `1.2.3.4`, `1.2.3.4:80`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:80`. */
function forwardedAddress(entry: string): string | null {
  const text = entry.trim();
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text);
  if (bracketed) return isIP(bracketed[1] ?? "") === 6 ? canonicalAddress(bracketed[1] ?? "") : null;
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text);
  return canonicalAddress(withPort?.[1] ?? text);
}
