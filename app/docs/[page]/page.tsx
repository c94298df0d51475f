import type { Metadata } from "next";
import { DocPage, docMetadata } from "@/app/docs/doc-page";
import { keptValues, type SearchParams } from "@/app/search-params";

interface Props {
  params: Promise<{ page: string }>;
  searchParams: SearchParams;
}

export const dynamic = "force-dynamic";

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => docMetadata((await params).page);

export default async function NamedDocPage({ params, searchParams }: Props) {
  return <DocPage slug={(await params).page} chosen={await keptValues("/docs/[page]", searchParams)} />;
}
