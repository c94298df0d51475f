import type { Metadata } from "next";
import { Missing, NOT_FOUND } from "@/app/missing";
import { CONTENTS } from "./contents";
import { docContext } from "./doc-context";
import { DOC_ENTRIES, docMarkdownPath, docPath, neighbours } from "./page-list";
import { DocBlocks } from "./view/doc-blocks";
import { DocShell } from "./view/doc-shell";

/** What the head of a page of the list says. */
export function docMetadata(slug: string): Metadata {
  const entry = DOC_ENTRIES.find((page) => page.slug === slug);
  if (!entry) return NOT_FOUND;
  return {
    title: slug === "" ? "Docs: quick start" : `${entry.title} · Docs`,
    description: entry.summary,
    alternates: { canonical: docPath(slug), types: { "text/markdown": docMarkdownPath(slug) } },
  };
}

/** A page of the list. */
export async function DocPage({ slug }: { slug: string }) {
  const entry = DOC_ENTRIES.find((page) => page.slug === slug);
  const content = CONTENTS[slug];
  if (!entry || !content) return <Missing />;
  const at = await docContext();
  const blocks = await content(at);
  return (
    <DocShell slug={slug} title={entry.title} summary={entry.summary} blocks={blocks} {...neighbours(slug)}>
      <DocBlocks blocks={blocks} place={at.place} />
    </DocShell>
  );
}
