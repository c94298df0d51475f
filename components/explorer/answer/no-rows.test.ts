import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { readView } from "@/components/explorer/view/view-address";
import { NoRows } from "./no-rows";

test("a page rendered without rows does not keep readers without JavaScript waiting", () => {
  const { view } = readView({}, []);
  const html = renderToStaticMarkup(createElement(NoRows, { isAnswered: false, view, onView: () => undefined }));
  expect(html).toMatch(/<p class="needs-script">Loading…<\/p><noscript>.*in a minute\.<\/noscript>/);
});
