import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { SiteFooter } from "./site-footer";

const footer = (props: Partial<Parameters<typeof SiteFooter>[0]>) =>
  renderToStaticMarkup(createElement(SiteFooter, { support: undefined, about: undefined, terms: undefined, ...props }));

test("terms, about and support are linked where the administrator has set them, and not shown otherwise", () => {
  const all = footer({
    support: "mailto:help@example.org",
    about: "https://example.org/about",
    terms: "https://example.org/terms",
  });
  for (const href of ["mailto:help@example.org", "https://example.org/about", "https://example.org/terms"])
    expect(all).toContain(`href="${href}"`);
  for (const name of ["Support", "About", "Terms"]) {
    expect(all).toContain(`>${name}</a>`);
    expect(footer({})).not.toContain(name);
  }
});
