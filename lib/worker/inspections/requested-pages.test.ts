import { describe, expect, test } from "vitest";
import { pageTries } from "./requested-pages";

describe("an empty page is requested again", () => {
  const tries = (query: string, named: readonly string[] = []) =>
    pageTries(new URL(`https://api.example.org/items${query}`), named).map((each) =>
      new URLSearchParams({ ...each }).toString(),
    );
  test.each([
    ["with the usual parameters", "?sort=id", [], ["page=1&limit=100", "page=1&per_page=100", "offset=0&limit=100"]],
    [
      "with those that the reply names first",
      "",
      ["pageSize"],
      ["page=1&pageSize=100", "page=1&per_page=100", "offset=0&pageSize=100"],
    ],
    [
      "by offset first if the reply names one",
      "",
      ["offset", "limit"],
      ["offset=0&limit=100", "page=1&limit=100", "page=1&per_page=100"],
    ],
    ["with only a size if the URL has a page", "?page=2", [], ["limit=100", "per_page=100"]],
    ["with only a position if the URL has a size", "?limit=5", [], ["page=1", "offset=0"]],
    ["not at all if the URL has both", "?page=1&per_page=50", [], []],
  ])("%s", (_name, query, named, expected) => expect(tries(query, named)).toEqual(expected));
});
