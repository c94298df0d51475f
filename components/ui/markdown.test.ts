import { expect, test } from "vitest";
import { markdownHtml } from "./markdown";

test.each([
  ["raw HTML is text", '<img src=x onerror="alert(1)"><script>alert(1)</script>', /<(img|script)/],
  ["script links stay text", "[x](javascript:alert(1)) <javascript:alert(1)>", /href="?javascript/i],
  ["data links stay text", "[x](data:text/html;base64,PHNjcmlwdD4=)", /href="data:/],
  ["images load nothing", "![x](https://tracker.example/x.png)", /<img/],
  ["quotes cannot leave an attribute", '[x](https://a.example/"onmouseover="alert(1))', /"onmouseover/],
])("%s", (_name, text, never) => expect(markdownHtml(text)).not.toMatch(never));

test("headings start below the page's own", () => {
  expect(markdownHtml("# Title")).toContain("<h3>Title</h3>");
});

test("links, lists, tables and code are rendered", () => {
  const html = markdownHtml("See https://example.org and `x`.\n\n- a\n- b\n\n|a|b|\n|-|-|\n|1|2|");
  expect(html).toContain('<a href="https://example.org" rel="nofollow noopener">');
  expect(html).toContain("<li>a</li>");
  expect(html).toContain("<td>1</td>");
});
