import { isIP } from "node:net";

const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** An IP address in its canonical spelling, IPv4-mapped IPv6 as IPv4; null if it is not one. */
export function canonicalAddress(text: string): string | null {
  const version = isIP(text);
  if (version === 4) return text;
  if (version === 0 || text.includes("%")) return null;
  const canonical = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const mapped = MAPPED.exec(canonical);
  return mapped ? dotted(mapped[1] as string, mapped[2] as string) : canonical;
}

function dotted(high: string, low: string): string {
  const bits = (Number.parseInt(high, 16) * 0x10000 + Number.parseInt(low, 16)) >>> 0;
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".");
}

/** What one client holds: an IPv4 address, or the /64 of an IPv6 address (a household gets at least that many). */
export function addressBlock(address: string): string {
  const canonical = canonicalAddress(address) ?? address;
  if (!canonical.includes(":")) return canonical;
  const [head = "", tail] = canonical.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill("0");
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`;
}
