import type { Metadata } from "next";
import { DocPage, docMetadata } from "@/app/docs/doc-page";

interface Props {
  params: Promise<{ page: string }>;
}

export const dynamic = "force-dynamic";

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => docMetadata((await params).page);

export default async function NamedDocPage({ params }: Props) {
  return <DocPage slug={(await params).page} />;
}
