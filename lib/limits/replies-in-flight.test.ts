import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Caller, RepliesInFlight } from "./replies-in-flight";

const LIMITS = { bytesMax: 10_000_000, callerBytesMax: 4_000_000, addressRepliesMax: 6, subjectRepliesMax: 3 };
const MIB = 1 << 20;

const begun = (replies: RepliesInFlight, caller: Caller, bytes: number, times: number): (() => void)[] =>
  Array.from({ length: times }, () => replies.begin(caller, bytes)).flatMap((end) => end ?? []);

describe("room for replies", () => {
  test.each<[string, (index: number) => Caller, number, number]>([
    ["one key from one address", () => ({ address: "192.0.2.1", subject: "key:a" }), MIB, 3],
    ["many keys from one address", (index) => ({ address: "192.0.2.1", subject: `key:${index}` }), 100_000, 6],
    ["one key from many addresses", (index) => ({ address: `192.0.2.${index}`, subject: "key:a" }), MIB, 3],
    ["many keys from many addresses", (index) => ({ address: `192.0.2.${index}`, subject: `key:${index}` }), MIB, 9],
    ["one household's many IPv6 addresses", (index) => ({ address: `2001:db8::${index}` }), 100_000, 6],
    ["one address, by bytes", () => ({ address: "192.0.2.1" }), 2_000_000, 2],
    ["small replies of one address, by bytes only", () => ({ address: "192.0.2.1" }), 60_000, 66],
  ])("%s", (_name, callerOf, bytes, room) => {
    const replies = new RepliesInFlight(LIMITS);
    const ends = Array.from({ length: 100 }, (_, index) => replies.begin(callerOf(index), bytes)).flatMap(
      (end) => end ?? [],
    );
    expect(ends).toHaveLength(room);
    expect(replies.held.bytes).toBe(room * bytes);
    for (const end of ends) end();
    for (const end of ends) end();
    expect(replies.held).toEqual({ replies: 0, bytes: 0 });
  });
});

test("a caller without a free slot is rejected before any work, and accepted once one is free", () => {
  const replies = new RepliesInFlight(LIMITS);
  const caller = { address: "192.0.2.1", subject: "key:a" };
  const [first] = begun(replies, caller, MIB, 3);
  expect(() => replies.requireRoom(caller)).toThrow(expect.objectContaining({ code: "busy", retryAfterSeconds: 5 }));
  replies.requireRoom({ address: "192.0.2.1", subject: "key:b" });
  first?.();
  replies.requireRoom(caller);
});

test("a process without room rejects everyone before any quota is taken, until a reply ends", () => {
  const replies = new RepliesInFlight(LIMITS);
  const ends = [1, 2, 3].flatMap((index) => begun(replies, { address: `192.0.2.${index}` }, 3_320_000, 1));
  const stranger = { address: "198.51.100.1", subject: "key:c" };
  expect(() => replies.requireRoom(stranger)).toThrow(expect.objectContaining({ code: "busy" }));
  ends[0]?.();
  replies.requireRoom(stranger);
});

test("whatever begins and ends, no limit is exceeded and all room is released", () => {
  const step = fc.record({
    address: fc.constantFrom("192.0.2.1", "192.0.2.2"),
    subject: fc.constantFrom(undefined, "key:a", "agent:b"),
    bytes: fc.integer({ min: 0, max: 3_000_000 }),
    ends: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const replies = new RepliesInFlight(LIMITS);
      const open: (() => void)[] = [];
      for (const { address, subject, bytes, ends } of steps) {
        const end = replies.begin({ address, subject }, bytes);
        if (end) open.push(end);
        expect(replies.held.bytes).toBeLessThanOrEqual(LIMITS.bytesMax);
        if (ends) open.shift()?.();
      }
      for (const end of open) end();
      expect(replies.held).toEqual({ replies: 0, bytes: 0 });
    }),
  );
});
