import { describe, expect, test } from "vitest";
import { addressBlock, canonicalAddress } from "./address";

describe("one spelling per address", () => {
  test.each([
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["::FFFF:cb00:7109", "203.0.113.9"],
    ["2001:0DB8:0:0::0001", "2001:db8::1"],
    ["::1", "::1"],
    ["203.0.113.09", null],
    ["203.0.113", null],
    ["fe80::1%eth0", null],
    ["localhost", null],
    ["", null],
  ])("%s is %s", (text, canonical) => expect(canonicalAddress(text)).toBe(canonical));
});

describe("one share per client", () => {
  test.each([
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["2001:db8::5:6", "2001:db8:0:0::/64"],
    ["2001:db8:1::5:6", "2001:db8:1:0::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("%s counts as %s", (address, block) => expect(addressBlock(address)).toBe(block));
});
