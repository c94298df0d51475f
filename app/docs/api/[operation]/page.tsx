import type { Metadata } from "next";
import { pageContext } from "@/app/context";
import { Missing, NOT_FOUND } from "@/app/missing";
import { shownForNow } from "@/app/passing";
import { DocBlocks } from "@/components/docs/view/doc-blocks";
import { DocShell } from "@/components/docs/view/doc-shell";
import { OPERATION_ENTRIES, operationOf, operationsBeside } from "@/lib/docs/operation-list";
import { DOC_ENTRIES, docMarkdownPath, docPath, neighbours } from "@/lib/docs/page-list";
import { wholePage } from "@/lib/docs/whole-page";

interface Props {
  params: Promise<{ operation: string }>;
}

export const dynamic = "force-dynamic";

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const slug = `api/${(await params).operation}`;
  const operation = operationOf(slug);
  if (!operation) return NOT_FOUND;
  return {
    title: `${operation.summary} · API reference`,
    description: operation.description,
    alternates: { canonical: docPath(slug), types: { "text/markdown": docMarkdownPath(slug) } },
  };
}

export default async function OperationPage({ params }: Props) {
  const slug = `api/${(await params).operation}`;
  const page = operationOf(slug) && (await wholePage(slug, pageContext()));
  if (!page) return <Missing />;
  if (page.isPassing) await shownForNow();
  const api = DOC_ENTRIES.filter((entry) => entry.slug === "api");
  return (
    <DocShell
      slug={slug}
      {...page}
      {...neighbours(slug, [...api, ...OPERATION_ENTRIES])}
      below={operationsBeside(slug)}
    >
      <DocBlocks blocks={page.blocks} place={page.place} />
    </DocShell>
  );
}
