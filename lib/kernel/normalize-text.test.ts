import { expect, test } from "vitest";
import { superlinear } from "@/lib/testing/processor-growth";
import { normalizeText } from "./normalize-text";

test.each(["NFC", "NFKC", "NFKD"] as const)("%s equals the platform's own normalisation for every script", (form) => {
  const texts = [
    "Zürich",
    "Việt Nam",
    "e\u0323\u0302",
    "한국어",
    "CO₂ ﬁ",
    "हिन्दी",
    "שָׁלוֹם",
    `a${"\u0301\u0323".repeat(15)}`,
    "",
  ];
  for (const text of texts) expect(normalizeText(text, form)).toBe(text.normalize(form));
});

test("excess combining marks are cut, in linear time", () => {
  expect([...normalizeText(`a${"\u0301\u0323".repeat(1000)}b`, "NFKD")].length).toBe(32);
  for (const form of ["NFC", "NFKC", "NFKD"] as const)
    expect(superlinear((text) => normalizeText(text, form))).toEqual([]);
});
