import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { pageContext, visitorContext } from "@/app/context";
import { Missing, NOT_FOUND } from "@/app/missing";
import { Failure } from "@/lib/kernel/errors";
import { execute } from "@/lib/operations/execute";
import { openSavedView } from "@/lib/operations/open-view";
import { explorerUrl } from "@/lib/view/view-address";

export const dynamic = "force-dynamic";

export const metadata: Metadata = NOT_FOUND;

/** A short link opens its view, as long as the visitor may read the table. */
export default async function SavedViewPage({ params }: { params: Promise<{ id: string }> }) {
  const url = await urlOf((await params).id);
  if (url === undefined) return <Missing />;
  redirect(url);
}

async function urlOf(id: string): Promise<string | undefined> {
  try {
    const { dataset, table, page, query } = await execute(
      openSavedView,
      { path: { view_id: id } },
      (await visitorContext()) ?? pageContext(),
    );
    return `${page === "sql" ? "/sql" : explorerUrl(dataset, table)}${query === "" ? "" : `?${query}`}`;
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return undefined;
    throw error;
  }
}
