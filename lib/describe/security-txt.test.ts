import { describe, expect, test } from "vitest";
import { readSettings } from "@/lib/kernel/env";
import { securityTxt } from "./security-txt";

const fieldsOf = (text: string) =>
  new Map(
    text
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/: (.*)/s, 2) as [string, string]),
  );

describe("security.txt", () => {
  test("names contact, policy and itself, and expires within a year on any day", () => {
    for (const day of [
      "2026-01-01T00:00:00Z",
      "2027-02-28T23:59:59.999Z",
      "2028-02-29T12:00:00Z",
      "2026-12-31T23:59:59Z",
    ]) {
      const now = new Date(day);
      const text = securityTxt("mailto:security@example.org", "https://data.example.org", now);
      const fields = fieldsOf(text);
      expect(Object.fromEntries(fields)).toMatchObject({
        Contact: "mailto:security@example.org",
        "Preferred-Languages": "en",
        Canonical: "https://data.example.org/.well-known/security.txt",
        Policy: "https://data.example.org/docs/accounts#security",
      });
      expect(fields.get("Expires")).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      const daysLeft = (Date.parse(fields.get("Expires") ?? "") - now.getTime()) / 86_400_000;
      expect(daysLeft).toBeGreaterThan(170);
      expect(daysLeft).toBeLessThan(365);
      expect(text.endsWith("\n")).toBe(true);
    }
  });

  test("changes once a day, so that its ETag is stable", () => {
    const at = (time: string) => securityTxt("mailto:a@b.example", "https://x.example", new Date(time));
    expect(at("2026-05-01T00:00:00Z")).toBe(at("2026-05-01T23:59:59Z"));
    expect(at("2026-05-02T00:00:00Z")).not.toBe(at("2026-05-01T23:59:59Z"));
  });

  test("does not name a URL without TLS", () => {
    expect([
      ...fieldsOf(securityTxt("https://example.org/report", "http://localhost:3000", new Date())).keys(),
    ]).toEqual(["Contact", "Expires", "Preferred-Languages"]);
  });

  test.each(["mailto:security@example.org", "https://example.org/report?x=1"])("%s is a contact", (contact) => {
    expect(readSettings({ PARQUETRY_CONTACT: contact }).PARQUETRY_CONTACT).toBe(contact);
  });

  test.each([
    "security@example.org",
    "http://example.org",
    "mailto:nobody",
    "mailto:a@b.example\nExpires: never",
    "https://",
    "javascript:alert(1)",
  ])("%j is not a contact", (contact) => {
    expect(() => readSettings({ PARQUETRY_CONTACT: contact })).toThrow(/PARQUETRY_CONTACT/);
  });
});
