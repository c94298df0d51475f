import { redirect } from "next/navigation";
import { findTable } from "@/app/datasets/[slug]/[table]/find-table";
import { Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { rowUrl } from "@/lib/view/view-address";

export const dynamic = "force-dynamic";

/** The target of the form that goes to a row by number. */
export default async function RowsPage({
  params,
  searchParams,
}: {
  params: Promise<{ slug: string; table: string }>;
  searchParams: SearchParams;
}) {
  const found = await findTable(await params);
  if (!found) return <Missing />;
  const { row, version } = await singleValues(searchParams);
  const wanted = (row ?? "").replace(/[\s,.]/g, "").slice(0, 20);
  redirect(rowUrl(found.dataset.slug, found.table.slug, encodeURIComponent(wanted || "1"), version));
}
