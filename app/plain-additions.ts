import "server-only";
import { redirect } from "next/navigation";
import { countedBy } from "@/components/explorer/view/view-changes";
import type { View, ViewColumn } from "@/lib/view/view";
import { packName, readView, viewSearch } from "@/lib/view/view-address";

type Parameters = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Without JavaScript, forms send their fields separately. This redirects to the URL of the view with their additions.
 */
export function redirectToAdded(
  parameters: Parameters,
  path: string,
  view: View,
  columns: readonly ViewColumn[],
): void {
  const field = (name: string): string => (typeof parameters[name] === "string" ? parameters[name] : "");
  const group = columns.find(({ name }) => name === field("add_group"));
  if (group) redirect(`${path}${viewSearch(countedBy(view, group))}`);
  const column = field("add_column");
  if (column === "") return;
  const operator = field("add_operator");
  const value = /null$/.test(operator) ? "" : `:${field("add_value")}`;
  const text = `${packName(column)}:${operator}${value}`;
  const { view: added, faults } = readView({ filter: text }, columns);
  const search = viewSearch({ ...view, filters: [...view.filters, ...added.filters] });
  // An invalid filter remains in the address, and the page explains what is wrong with it.
  redirect(
    path + (faults.length === 0 ? search : `${search}${search === "" ? "?" : "&"}filter=${encodeURIComponent(text)}`),
  );
}
