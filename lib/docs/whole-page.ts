import "server-only";
import type { Context } from "@/lib/access/context";
import { fail } from "@/lib/kernel/errors";
import { pageBlocks } from "./contents";
import type { Block } from "./doc";
import { docContextOf } from "./doc-context";
import { docMarkdown } from "./doc-markdown";
import { liveReply } from "./live-reply";
import { operationBlocks } from "./operation-blocks";
import { operationOf } from "./operation-list";
import { DOC_ENTRIES } from "./page-list";
import type { SamplePlace } from "./samples/sample";

interface WholePage {
  title: string;
  summary: string;
  blocks: readonly Block[];
  place: SamplePlace;
  /** Whether part of it could not be read at the moment. */
  isPassing: boolean;
}

/** A page with its contents: from the list, or of an operation. Undefined if there is none. */
export async function wholePage(slug: string, ctx: Context): Promise<WholePage | undefined> {
  const entry = DOC_ENTRIES.find((page) => page.slug === slug);
  const operation = operationOf(slug);
  if (!operation && !entry) return undefined;
  const at = await docContextOf(ctx);
  if (entry)
    return {
      title: entry.title,
      summary: entry.summary,
      blocks: pageBlocks(slug, at),
      place: at.place,
      isPassing: false,
    };
  if (!operation) return undefined;
  const { text, isPassing } = await liveReply(operation, at, ctx);
  return {
    title: operation.summary,
    summary: operation.description,
    blocks: operationBlocks(operation, at, text),
    place: at.place,
    isPassing,
  };
}

/** The Markdown of a page. Fails with not_found. */
export async function pageMarkdown(slug: string, ctx: Context): Promise<string> {
  const page = await wholePage(slug, ctx);
  if (!page) throw fail("not_found");
  return docMarkdown(page, page.place);
}
