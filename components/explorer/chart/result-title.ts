import type { View, ViewAggregate, ViewGroup } from "@/components/explorer/view/view";
import { aliasFor } from "@/components/explorer/view/view-changes";
import { isSpan } from "@/components/values/span-end";
import { AGGREGATES } from "@/lib/engine/types/aggregates";
import { BUCKETS } from "@/lib/engine/types/buckets";

/** A column of a grouped view in words, unless its author has named it: `Average of delay`, `date, per month`. */
export function resultTitle({ group, aggregates }: View, name: string): string | undefined {
  const groups = group.find(({ alias }) => alias === name);
  if (groups) return groupTitle(groups);
  const aggregate = aggregates.find(({ alias }) => alias === name);
  return aggregate && aggregateTitle(aggregate);
}

function groupTitle({ column, bucket, width, alias }: ViewGroup): string | undefined {
  if (!isAutomatic(alias, column, bucket ?? "from")) return undefined;
  if (width !== undefined) return `${column}, in steps of ${width}`;
  if (bucket === undefined) return undefined;
  return isSpan(bucket) ? `${column}, per ${bucket}` : `${column}, ${BUCKETS[bucket].english.replace(/ \(.*$/, "")}`;
}

function aggregateTitle({ function: name, column, alias, at, filters = [] }: ViewAggregate): string | undefined {
  if (column === undefined || filters.length > 0 || !isAutomatic(alias, name, column)) return undefined;
  const words = `${at === undefined ? "" : `${at} `}${AGGREGATES[name].english} of ${column}`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Whether an alias is the one that the explorer gives, perhaps with a number. */
function isAutomatic(alias: string, name: string, column: string): boolean {
  const given = aliasFor(name, column, []);
  return alias === given || (alias.startsWith(`${given}_`) && /^\d+$/.test(alias.slice(given.length + 1)));
}
