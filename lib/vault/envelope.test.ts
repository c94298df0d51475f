import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Failure } from "@/lib/kernel/errors";
import type { KeyRing } from "@/lib/storage/key-ring-file";
import type { SealedFor } from "@/lib/store/sources/secrets";
import { open, seal } from "./envelope";

const key = (name: string) => ({ name, key: randomBytes(32) });
const ring: KeyRing = [key("new"), key("old")];
const row: SealedFor = {
  id: "11111111-1111-4111-8111-111111111111",
  workspaceId: "22222222-2222-4222-8222-222222222222",
  name: "weather",
  kind: "header",
  field: "X-Key",
};
const VALUE = '{"kind":"header","field":"X-Key","value":"the-value-itself"}';
const HEAD = 1 + 12;
const TAG = 16;

function rejection(work: () => unknown): Failure {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
  throw new Error("it was opened");
}

/** Every rejection names the credential and shows neither its value nor any key. */
function expectClosed(work: () => unknown, reason: RegExp): void {
  const { code, message } = rejection(work);
  expect(code).toBe("integrity_failure");
  expect(message).toMatch(/^Cannot decrypt the secret weather: /);
  expect(message).toMatch(reason);
  expect(message).not.toContain("the-value-itself");
  for (const held of ring) expect(message).not.toContain(Buffer.from(held.key).toString("base64"));
}

test("what is sealed opens again, with the key that sealed it, at any position in the ring", () => {
  const sealed = seal(ring, row, VALUE);
  expect(sealed.sealedWith).toBe("new");
  expect(open(ring, { ...row, ...sealed })).toBe(VALUE);
  expect(open([key("newer"), ring[0]], { ...row, ...sealed })).toBe(VALUE);
  expect(open(ring, { ...row, ...seal(ring, row, "") })).toBe("");
});

test("the same text is never encrypted the same way twice, and reveals nothing of itself", () => {
  const all = Array.from({ length: 500 }, () => Buffer.from(seal(ring, row, VALUE).sealed));
  expect(new Set(all.map((sealed) => sealed.subarray(1, HEAD).toString("hex"))).size).toBe(500);
  for (const sealed of all) expect(sealed.toString("latin1")).not.toContain("the-value");
  expect(all[0]?.length).toBe(HEAD + VALUE.length + TAG);
});

describe("a row that was tampered with cannot be opened", () => {
  const sealed = seal(ring, row, VALUE);
  const parts: [part: string, from: number, to: number, reason: RegExp][] = [
    ["version", 0, 1, /its format is unknown/],
    ["nonce", 1, HEAD, /damaged/],
    ["text", HEAD, sealed.sealed.length - TAG, /damaged/],
    ["tag", sealed.sealed.length - TAG, sealed.sealed.length, /damaged/],
  ];

  test.each(parts)("each bit of each byte of the %s", (_part, from, to, reason) => {
    for (let at = from; at < to; at += 1)
      for (let bit = 0; bit < 8; bit += 1) {
        const changed = Uint8Array.from(sealed.sealed);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        expectClosed(() => open(ring, { ...row, ...sealed, sealed: changed }), reason);
      }
  });

  test("at every other length", () => {
    for (let length = 0; length < sealed.sealed.length; length += 1)
      expectClosed(
        () => open(ring, { ...row, ...sealed, sealed: sealed.sealed.slice(0, length) }),
        /damaged|its format/,
      );
    expectClosed(() => open(ring, { ...row, ...sealed, sealed: Uint8Array.from([...sealed.sealed, 0]) }), /damaged/);
  });

  const moved: [what: string, row: Partial<SealedFor>][] = [
    ["workspace", { workspaceId: "33333333-3333-4333-8333-333333333333" }],
    ["id", { id: "33333333-3333-4333-8333-333333333333" }],
    ["kind", { kind: "query" }],
    ["field", { field: "X-Other" }],
    ["field removed", { field: null }],
  ];

  test.each(moved)("moved to another %s", (_what, change) =>
    expectClosed(() => open(ring, { ...row, ...sealed, ...change }), /damaged/),
  );

  test("moved to another name", () => {
    expect(rejection(() => open(ring, { ...row, ...sealed, name: "other" })).message).toMatch(
      /^Cannot decrypt the secret other: its row is damaged/,
    );
  });
});

test("the wrong key, the right key under another name, and a key that is not in the ring are distinguished", () => {
  const sealed = seal(ring, row, VALUE);
  expectClosed(() => open([key("new")], { ...row, ...sealed }), /the key new has been replaced/);
  expectClosed(
    () => open([{ name: "renamed", key: ring[0].key }], { ...row, ...sealed, sealedWith: "renamed" }),
    /damaged/,
  );
  expectClosed(
    () => open([key("other")], { ...row, ...sealed }),
    /encrypted with the key new, which is not in the key ring/,
  );
});
