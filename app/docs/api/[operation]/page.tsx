import type { Metadata } from "next";
import { pageContext } from "@/app/context";
import { docContext } from "@/app/docs/doc-context";
import { liveReply } from "@/app/docs/live-reply";
import { operationBlocks } from "@/app/docs/operation-blocks";
import { OPERATION_ENTRIES, operationOf } from "@/app/docs/operation-list";
import { DOC_ENTRIES, docMarkdownPath, docPath, neighbours } from "@/app/docs/page-list";
import { DocBlocks } from "@/app/docs/view/doc-blocks";
import { DocShell } from "@/app/docs/view/doc-shell";
import { Missing, NOT_FOUND } from "@/app/missing";

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
  const operation = operationOf(slug);
  if (!operation) return <Missing />;
  const at = await docContext();
  const blocks = operationBlocks(operation, at, await liveReply(operation, at, pageContext()));
  const entry = OPERATION_ENTRIES.find((page) => page.slug === slug);
  const below = OPERATION_ENTRIES.filter(({ tag }) => (tag === "account") === (entry?.tag === "account"));
  const api = DOC_ENTRIES.filter((page) => page.slug === "api");
  return (
    <DocShell
      slug={slug}
      title={operation.summary}
      summary={operation.description}
      blocks={blocks}
      below={below}
      {...neighbours(slug, [...api, ...OPERATION_ENTRIES])}
    >
      <DocBlocks blocks={blocks} place={at.place} />
    </DocShell>
  );
}
