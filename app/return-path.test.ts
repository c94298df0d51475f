import { expect, test } from "vitest";
import { returnPath } from "./return-path";

const ORIGIN = "https://data.example";

test.each([
  [`${ORIGIN}/datasets/earthquakes-2018`, "/datasets/earthquakes-2018"],
  [`${ORIGIN}/datasets/a/b?filter=x:eq:1&sort=-x`, "/datasets/a/b?filter=x:eq:1&sort=-x"],
  [`${ORIGIN}/`, "/"],
])("from %s a sign-in returns to %s", (referrer, path) => {
  expect(returnPath(referrer, ORIGIN)).toBe(path);
});

test.each([
  null,
  "",
  "https://evil.example/datasets",
  "https://data.example.evil.example/",
  "https://data.example@evil.example/",
  `${ORIGIN}`,
  `${ORIGIN}/sign-in?callbackUrl=%2F`,
  `${ORIGIN}/settings/account`,
])("from %s a sign-in returns to the default page", (referrer) => {
  expect(returnPath(referrer, ORIGIN)).toBeUndefined();
});

test.each([`${ORIGIN}//evil.example/`, `${ORIGIN}/\\evil.example`, `${ORIGIN}/api/auth/signout`])(
  "%s leads nowhere but to our own pages",
  (referrer) => {
    expect(returnPath(referrer, ORIGIN)).toBe("/");
  },
);
