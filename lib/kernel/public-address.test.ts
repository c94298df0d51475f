import { expect, test } from "vitest";
import { isPublicAddress } from "./public-address";

// biome-ignore format: one list is easier to read in few lines
const SPECIAL = [
  "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.0.1",
  "192.0.2.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "240.0.0.1", "::1", "::", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1",
  "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "2002:7f00:1::", "168.63.129.16", "64:ff9b:1::7f00:1", "fec0::1", "::127.0.0.1", "::ffff:168.63.129.16", "100::1",
  "localhost", "", "1.2.3", "127.1",
];

for (const address of SPECIAL)
  test(`${address || "nothing"} is not a public address`, () => expect(isPublicAddress(address)).toBe(false));
for (const address of ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:1.1.1.1"]) {
  test(`${address} is a public address`, () => expect(isPublicAddress(address)).toBe(true));
}
