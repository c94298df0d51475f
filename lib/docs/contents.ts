import { readFileSync } from "node:fs";
import { join } from "node:path";
import { processWide } from "@/lib/kernel/process-wide";
import type { Block, DocContext, DocTab, Include } from "./doc";
import { QUERY } from "./includes/query";
import { RECIPES } from "./includes/recipes";
import { RULES } from "./includes/rules";
import { SERVICE } from "./includes/service";
import { VALUES } from "./includes/values";
import { DOC_ENTRIES } from "./page-list";
import { checkIncludes, fillPage, type PageTemplate, parsePage } from "./page-markdown";

/** Guides to connecting a client: a file of their own, of which a page shows each section on a tab. */
const GUIDES = "client-guides";

/** Everything that `{{name}}` can stand for on a page. */
const INCLUDES: Readonly<Record<string, Include>> = {
  ...{ ...VALUES, ...QUERY, ...RECIPES, ...RULES, ...SERVICE },
  [GUIDES]: (at) => [{ kind: "tabs", label: "Clients", parameter: "client", tabs: clientGuides(at) }],
};

/** The pages as they are written: all are read and checked once per process, when the first is needed. */
const templates = (): ReadonlyMap<string, PageTemplate> =>
  processWide("docs-pages", () => {
    const pages = new Map(
      [...DOC_ENTRIES.map(({ slug }) => slug), GUIDES].map((slug) => [slug, readPage(slug)] as const),
    );
    checkIncludes([...pages.values()], INCLUDES);
    return pages;
  });

function readPage(slug: string): PageTemplate {
  const file = `${slug === "" ? "quick-start" : slug}.md`;
  return parsePage(`lib/docs/pages/${file}`, readFileSync(join(process.cwd(), "lib", "docs", "pages", file), "utf8"));
}

/** The blocks of a listed page; none if it is not listed. */
export function pageBlocks(slug: string, at: DocContext): readonly Block[] {
  const page = templates().get(slug);
  return page ? fillPage(page, INCLUDES, at) : [];
}

/** How to add the connector to each client, most used first. */
export function clientGuides(at: DocContext): readonly DocTab[] {
  const guides: (DocTab & { blocks: Block[] })[] = [];
  for (const block of pageBlocks(GUIDES, at)) {
    if (block.kind === "heading") guides.push({ id: block.id, title: block.title, blocks: [] });
    else guides.at(-1)?.blocks.push(block);
  }
  return guides;
}
