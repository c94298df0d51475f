import { describe, expect, test } from "vitest";
import { timesAsMuch } from "@/lib/testing/processor-time";
import { hashPassword, verifyPassword } from "./password";
import { passwordFault } from "./password-rule";

describe("a password", () => {
  test("is stored as argon2id and matches whatever the Unicode composition of its accents", async () => {
    const stored = await hashPassword("caf\u00e9 au lait, twice");
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword("cafe\u0301 au lait, twice", stored)).toBe(true);
    expect(await verifyPassword("cafe au lait, twice", stored)).toBe(false);
    expect(await hashPassword("caf\u00e9 au lait, twice")).not.toBe(stored);
  });

  test("is compared with a dummy hash for unknown accounts, and rejected", async () => {
    expect(await verifyPassword("nobody has this password", undefined)).toBe(false);
    expect(await verifyPassword("anything", null)).toBe(false);
  });
});

describe("the strength rule", () => {
  test.each([
    ["short", /at least 10/],
    ["x".repeat(257), /at most 256/],
    ["password1234", /easy to guess/],
    ["aaaaaaaaaaaa", /easy to guess/],
    ["jane.doe.1984", /easy to guess/],
    ["parquetry123", /easy to guess/],
  ])("%s is rejected with a reason", (password, reason) =>
    expect(passwordFault(password, ["jane.doe", "jane", "doe"])).resolves.toMatch(reason),
  );

  test("is fast even for a string full of substitutions", async () => {
    const full = "4@1!0$5s7+8B(c{<6G9|3e0oO1lL!i|7T2z%xX4aA@@4aAs$5S0oO1iI!lL7tT+2";
    const judging = () => passwordFault(full, ["jane@example.com"]);
    const hashing = () => hashPassword(full);
    expect(await timesAsMuch(judging, hashing, 16)).toBeLessThan(16); // about 6; without the bound 40 and more
  });

  test.each(["correct horse battery", "gurkensalat-mit-dill", "пароль из многих слов", "🐦🐦 strikes at dawn"])(
    "%s is accepted",
    (password) => expect(passwordFault(password, ["jane@example.com"])).resolves.toBeUndefined(),
  );
});
