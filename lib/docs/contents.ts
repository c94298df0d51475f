import { readFileSync } from "node:fs";
import { join } from "node:path";
import { processWide } from "@/lib/kernel/process-wide";
import type { Block, DocContext } from "./doc";
import { INCLUDES } from "./includes/all-includes";
import { DOC_ENTRIES } from "./page-list";
import { checkIncludes, fillPage, type PageTemplate, parsePage } from "./page-markdown";

/** The listed pages as they are written: all are read and checked once per process, when the first is needed. */
const templates = (): ReadonlyMap<string, PageTemplate> =>
  processWide("docs-pages", () => {
    const pages = new Map(DOC_ENTRIES.map(({ slug }) => [slug, readPage(slug)] as const));
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
