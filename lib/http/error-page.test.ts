import { expect, test } from "vitest";
import { fail } from "@/lib/kernel/errors";
import { errorPage } from "./error-page";

const textsOf = (...given: Parameters<typeof fail>) =>
  [...errorPage(fail(...given), "req_x", "n").matchAll(/<(h1|p)>([^<]*)<\/\1>/g)].map((found) => found[2]);

test.each<[string, string[], Parameters<typeof fail>]>([
  ["its title and advice", ["Unavailable", "Try again in a moment."], ["unavailable"]],
  [
    "when to try again, instead of the advice to do so",
    ["Unavailable", "Try again in 5 seconds."],
    ["unavailable", { retryAfterSeconds: 5 }],
  ],
  [
    "other advice, and when to try again",
    [
      "Daily quota exhausted",
      "Try again tomorrow, or use an API key, which has its own quota.",
      "Try again in 2 minutes.",
    ],
    ["daily_quota_exhausted", { retryAfterSeconds: 120 }],
  ],
  [
    "what happened, with the page's own advice",
    ["Busy", "Too many readers.", "Try again in 1 second."],
    ["busy", { message: "Too many readers.", fix: "Retry later.", retryAfterSeconds: 1 }],
  ],
  [
    "what happened, if that says it all",
    ["Not found", "Dataset a&#60;b is gone."],
    ["not_found", { message: "Dataset a<b is gone." }],
  ],
])("the page of a failure says %s, once", (_, texts, given) => {
  expect(textsOf(...given)).toEqual(texts);
});
