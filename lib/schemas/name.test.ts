import { expect, test } from "vitest";
import { nameSchema } from "./name";

test.each(["Ada", "Zoë  Müller", "李小龍", "می‌خواهم", "👩‍🔬 lab", "a'--<script>", "עברית"])("%j is a name", (name) => {
  expect(nameSchema.parse(` ${name} `)).toBe(name);
});

test.each([
  ["nothing", " "],
  ["a null byte", "a\u0000b"],
  ["a line end", "a\nb"],
  ["an escape", "\u001b[31mred"],
  ["half a surrogate pair", "a\ud800"],
  ["a line separator", "a\u2028b"],
  ["a turned direction", "exe.\u202egpj"],
  ["an isolate", "a\u2066b"],
  ["nothing to see", "\u200b\u200d"],
  ["too much", "x".repeat(101)],
])("a name is one line of text: %s is rejected", (_, name) => {
  expect(nameSchema.safeParse(name).success).toBe(false);
});
