import { expect, test } from "vitest";
import { browserName } from "./browser-name";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

test("a browser is shown by its common name", () => {
  expect(browserName(FIREFOX)).toBe("Firefox on Linux");
  expect(browserName(null)).toBe("Unknown browser");
});

test("a User-Agent becomes one short line without terminal control characters", () => {
  const hostile = [
    "\u009b2J\u009b1;1Hroot",
    "\u001b]0;title\u0007x/1",
    "a\u202eb/1",
    "x".repeat(400),
    `${FIREFOX}\u009b31m`,
  ];
  for (const agent of hostile) {
    const name = browserName(agent);
    expect(name).not.toMatch(/\p{C}/u);
    expect(name.length).toBeLessThanOrEqual(60);
  }
});
