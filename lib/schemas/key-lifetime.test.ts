import { expect, test } from "vitest";
import { dayAfter, expiryOf } from "./key-lifetime";

const NOW = new Date("2026-11-21T09:30:00Z");

test.each([
  ["never", "", null],
  ["30", "", "2026-12-21T09:30:00.000Z"],
  ["365", "2027-01-01", "2027-11-21T09:30:00.000Z"],
  ["date", "2027-01-31", "2027-01-31T23:59:59Z"],
  ["a while", "", "a while"], // not a lifetime that we offer: the API rejects it
])("a key created for %s (%s) expires %s", (lifetime, date, end) => expect(expiryOf(lifetime, date, NOW)).toBe(end));

test("days are counted in UTC", () => expect(dayAfter(new Date("2026-12-31T23:59:59Z"), 1)).toBe("2027-01-01"));
