import { describe, expect, test } from "vitest";
import { trueClientAddress, trustedProxies } from "./client-address";

const TRUSTED = trustedProxies(["10.0.0.0/8", "192.0.2.1", "2001:db8:ff::/48", "::ffff:172.16.0.0/108"]);

describe("the true client address", () => {
  test.each([
    ["a peer that is not a proxy is the client, whatever it claims", "203.0.113.5", "1.1.1.1", "203.0.113.5"],
    ["a proxy's header is trusted", "10.0.0.1", "203.0.113.5", "203.0.113.5"],
    ["an IPv4-mapped peer is the IPv4 proxy", "::ffff:10.0.0.1", "203.0.113.5", "203.0.113.5"],
    ["an IPv4-mapped peer that is not a proxy is IPv4", "::ffff:203.0.113.5", undefined, "203.0.113.5"],
    ["a mapped block in the setting means its IPv4 block", "172.16.3.4", "203.0.113.5", "203.0.113.5"],
    [
      "the right-most untrusted one counts, not what the client wrote before",
      "10.0.0.1",
      "6.6.6.6, 203.0.113.5",
      "203.0.113.5",
    ],
    ["a chain of proxies is followed", "10.0.0.1", "6.6.6.6, 203.0.113.5, 192.0.2.1, 10.9.9.9", "203.0.113.5"],
    [
      "a spoofed trusted address left of the client changes nothing",
      "10.0.0.1",
      "10.0.0.7, 203.0.113.5",
      "203.0.113.5",
    ],
    ["only proxies: the left-most", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["no header: the proxy itself", "10.0.0.1", undefined, "10.0.0.1"],
    ["an empty header: the proxy itself", "10.0.0.1", "", "10.0.0.1"],
    ["an entry that is not an address ends the search", "10.0.0.1", "203.0.113.5, unknown", "10.0.0.1"],
    [
      "an obfuscated name ends the search at the last proxy known",
      "10.0.0.1",
      "203.0.113.5, _hidden, 10.0.0.2",
      "10.0.0.2",
    ],
    ["ports are dropped", "10.0.0.1", "203.0.113.5:4711", "203.0.113.5"],
    ["IPv6 in brackets with a port", "10.0.0.1", "[2001:db8::5]:443", "2001:db8::5"],
    ["IPv6 in brackets", "10.0.0.1", "[2001:db8::5]", "2001:db8::5"],
    ["IPv6 bare, another spelling", "10.0.0.1", "2001:0DB8:0::5", "2001:db8::5"],
    ["IPv6 proxy", "2001:db8:ff::1", "2001:db8::5", "2001:db8::5"],
    ["mapped entry is IPv4", "10.0.0.1", "::ffff:203.0.113.5", "203.0.113.5"],
    ["mapped entry may be a proxy too", "10.0.0.1", "203.0.113.5, ::ffff:10.0.0.2", "203.0.113.5"],
    ["leading zeros are not an address", "10.0.0.1", "010.0.0.9", "10.0.0.1"],
    ["quotes are not an address", "10.0.0.1", '"203.0.113.5"', "10.0.0.1"],
    ["an empty entry ends the search", "10.0.0.1", "203.0.113.5,", "10.0.0.1"],
    ["an entry with a zone is not an address", "10.0.0.1", "fe80::1%eth0", "10.0.0.1"],
    ["IPv4 in brackets is no address", "10.0.0.1", "[203.0.113.5]", "10.0.0.1"],
    ["a link-local peer loses its zone", "fe80::1%eth0", undefined, "fe80::1"],
  ])("%s", (_guarantee, peer, forwardedFor, client) =>
    expect(trueClientAddress(peer, forwardedFor, TRUSTED)).toBe(client),
  );
});

describe("invalid proxy settings prevent the start", () => {
  test.each([
    "proxy.example",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "2001:db8::/129",
    "10.0.0/8",
    "10.0.0.0/",
    "::ffff:10.0.0.0/8",
  ])("%s", (entry) => {
    expect(() => trustedProxies([entry])).toThrow("PARQUETRY_TRUSTED_PROXIES");
  });
});
