import { expect, test } from "vitest";
import { markdownTarget } from "./markdown-target";

const page = { url: "/datasets/birds?tab=use", path: "/datasets/birds", api: false };

test.each([
  ["text/markdown", "/datasets/birds/llms.txt?tab=use"],
  ["text/markdown, text/html;q=0.8, */*;q=0.1", "/datasets/birds/llms.txt?tab=use"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", page.url],
  ["*/*", page.url],
  [undefined, page.url],
])("a dataset requested with Accept %s is served from %s", (accept, url) =>
  expect(markdownTarget(page, "GET", accept).url).toBe(url),
);

test("other pages, methods and rejected targets are unchanged", () => {
  expect(markdownTarget({ ...page, path: "/datasets/birds/strikes" }, "GET", "text/markdown").url).toBe(page.url);
  expect(markdownTarget(page, "POST", "text/markdown").url).toBe(page.url);
  expect(markdownTarget({ ...page, rejected: "not_found" }, "GET", "text/markdown").url).toBe(page.url);
});
