import { expect, test } from "vitest";
import { ERRORS, type ErrorCode, fail } from "./errors";
import { pageAdvice, pageText } from "./page-text";

const CODES = Object.keys(ERRORS) as ErrorCode[];
/** Requests, headers, members and keys of the API, which mean nothing on a page. */
const API_WORDS =
  /\b(?:GET|POST|JSON|cursor|order_by|schema|header|documented|Accept|Content-Type)\b|…\/|Retry-After|x-api/;

test.each(CODES)("%s advises the reader of a page in the page's own words", (code) => {
  expect(pageAdvice(code)).not.toMatch(API_WORDS);
  expect(pageText(fail(code))).toBe(`${ERRORS[code].title}. ${pageAdvice(code)}`);
});

test("a custom message is kept, and only its advice to callers of the API is replaced", () => {
  const advised = fail("not_found", { message: "Unknown version.", fix: "List versions with GET …/versions." });
  expect(advised.message).toBe("Unknown version. List versions with GET …/versions.");
  expect(pageText(advised)).toBe(`Unknown version. ${pageAdvice("not_found")}`);
  expect(pageText(fail("version_withdrawn", { message: "Withdrawn: wrong names." }))).toBe("Withdrawn: wrong names.");
});
