import type { Metadata } from "next";
import { pageContext } from "@/app/context";
import { type SearchParams, singleValues } from "@/app/search-params";
import { SearchResults } from "@/components/docs/view/search-results";
import { SideNav } from "@/components/docs/view/side-nav";
import { pageBlocks } from "@/lib/docs/contents";
import { docContextOf } from "@/lib/docs/doc-context";
import { partsOf, searchParts } from "@/lib/docs/doc-search";
import { OPERATION_ENTRIES } from "@/lib/docs/operation-list";
import { DOC_ENTRIES } from "@/lib/docs/page-list";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Search the docs", robots: { index: false } };

export default async function DocSearchPage({ searchParams }: { searchParams: SearchParams }) {
  const q = ((await singleValues(searchParams)).q ?? "").trim().slice(0, 200);
  const found = q === "" ? [] : searchParts(await allParts(), q);
  return (
    <div className="page doc-page">
      <SideNav slug="search" title="Search" q={q} />
      <div className="min-w-0">
        <h1 className="text-3xl">Search the docs</h1>
        <SearchResults q={q} found={found} />
      </div>
    </div>
  );
}

async function allParts() {
  const at = await docContextOf(pageContext());
  const pages = DOC_ENTRIES.map((entry) => ({ ...entry, blocks: pageBlocks(entry.slug, at) }));
  return [...pages, ...OPERATION_ENTRIES.map((entry) => ({ ...entry, blocks: [] }))].flatMap(partsOf);
}
