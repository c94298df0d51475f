import type { Metadata } from "next";
import { pageContext } from "@/app/context";
import { Missing, NOT_FOUND } from "@/app/missing";
import { DocBlocks } from "@/components/docs/view/doc-blocks";
import { DocShell } from "@/components/docs/view/doc-shell";
import { operationsBeside } from "@/lib/docs/operation-list";
import { DOC_ENTRIES, docMarkdownPath, docPath, neighbours } from "@/lib/docs/page-list";
import { wholePage } from "@/lib/docs/whole-page";

/** The metadata of a listed page. */
export function docMetadata(slug: string): Metadata {
  const entry = DOC_ENTRIES.find((page) => page.slug === slug);
  if (!entry) return NOT_FOUND;
  return {
    title: slug === "" ? "Docs: quick start" : `${entry.title} · Docs`,
    description: entry.summary,
    alternates: { canonical: docPath(slug), types: { "text/markdown": docMarkdownPath(slug) } },
  };
}

interface Props {
  slug: string;
  /** The tabs selected in the URL, by parameter. */
  chosen?: Readonly<Record<string, string | undefined>>;
}

/** A listed page. */
export async function DocPage({ slug, chosen = {} }: Props) {
  const page = DOC_ENTRIES.some((entry) => entry.slug === slug) ? await wholePage(slug, pageContext()) : undefined;
  if (!page) return <Missing />;
  return (
    <DocShell slug={slug} {...page} {...neighbours(slug)} below={slug === "api" ? operationsBeside(slug) : []}>
      <DocBlocks blocks={page.blocks} place={page.place} chosen={chosen} />
    </DocShell>
  );
}
