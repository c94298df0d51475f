import { aliasFor } from "@/components/explorer/view/view-changes";
import { browserTable } from "@/lib/describe/links";
import { LOOKUPS_MAX } from "@/lib/engine/grammar/bounds";
import { hasKeyValues } from "@/lib/engine/plan/lookups";
import type { Envelope } from "@/lib/http/envelope";
import { isUuid } from "@/lib/kernel/uuid";
import type { Dataset } from "@/lib/schemas/dataset";
import type { TableSchema } from "@/lib/schemas/table";
import type { View, ViewColumn, ViewLookup } from "@/lib/view/view";

/** Another table of the dataset, as its explorer names it. */
export interface SiblingTable {
  id: string;
  slug: string;
}

/** Where tables are named and read from. */
export interface LookupSources {
  dataset: string;
  siblings: readonly SiblingTable[];
  /** The workspace whose private tables can be read, if somebody is signed in. */
  workspaceId: string | undefined;
}

/** A table that columns can be looked up in. */
export interface FoundTable {
  id: string;
  slug: string;
  primaryKey: readonly string[];
  columns: readonly ViewColumn[];
}

/** What is added, while it is edited. */
export interface LookupDraft {
  table: FoundTable;
  /** For each column of the key, the column of this table; empty until chosen. */
  on: Readonly<Record<string, string>>;
  columns: readonly string[];
}

/**
 * The table of this name: `dataset/table`, a dataset with one table, a table of the same dataset, or an id. A sentence
 * if there is none, if it has no key, or if the service cannot be reached.
 */
export async function findTable(name: string, sources: LookupSources): Promise<FoundTable | string> {
  try {
    const named = await idOf(name.trim().toLowerCase(), sources);
    return typeof named === "string" ? named : await readTable(named, sources);
  } catch {
    return "The service cannot be reached. Check the connection, then try again.";
  }
}

async function idOf(name: string, { dataset, siblings }: LookupSources): Promise<SiblingTable | string> {
  if (isUuid(name)) return { id: name, slug: "table" };
  const [slug = "", table] = name.split("/", 2);
  const own = siblings.find((each) => (slug === dataset ? each.slug === table : each.slug === name));
  if (own) return own;
  const reply = await fetch(`/api/v2/public/datasets/${encodeURIComponent(slug)}`);
  if (reply.status === 404)
    return `There is no public dataset “${slug}”. Name a table as in its address, such as dataset/table.`;
  if (!reply.ok) return await said(reply);
  const { tables } = (await reply.json()) as Dataset;
  const found = table === undefined && tables.length === 1 ? tables[0] : tables.find((each) => each.slug === table);
  if (found) return { id: found.tableId, slug: found.slug };
  return `Name a table of “${slug}”: ${tables.map((each) => `${slug}/${each.slug}`).join(", ")}.`;
}

/** Why the service refused, in its own words. */
const said = async (reply: Response): Promise<string> => ((await reply.json()) as Envelope).message;

async function readTable({ id, slug }: SiblingTable, { workspaceId }: LookupSources): Promise<FoundTable | string> {
  const open = await fetch(`/api/v2/public/tables/${id}/schema`);
  const isOwn = !open.ok && workspaceId !== undefined;
  const reply = isOwn ? await fetch(browserTable("", workspaceId, id, "schema")) : open;
  if (reply.status === 404) return "There is no such table that you may read.";
  if (!reply.ok) return await said(reply);
  const { primary_key, columns } = (await reply.json()) as TableSchema;
  if (primary_key.length === 0) return `The table ${slug} has no key by which its rows could be found.`;
  return { id, slug, primaryKey: primary_key, columns };
}

/** The columns of this table that may have the values of a column of the other's key. */
export function columnsWithKey<Column extends ViewColumn>(
  columns: readonly Column[],
  table: FoundTable,
  key: string,
): Column[] {
  const wanted = table.columns.find(({ name }) => name === key);
  return wanted ? columns.filter((column) => hasKeyValues(column, wanted)) : [];
}

/** Key columns are found in columns of the same name, or in the only one of their type. */
export function startLookup(table: FoundTable, columns: readonly ViewColumn[]): LookupDraft {
  const on = Object.fromEntries(
    table.primaryKey.map((key) => {
      const possible = columnsWithKey(columns, table, key);
      const same = possible.find(({ name }) => name.toLowerCase() === key.toLowerCase());
      return [key, (same ?? (possible.length === 1 ? possible[0] : undefined))?.name ?? ""];
    }),
  );
  return { table, on, columns: [] };
}

/** What is missing, as a sentence; undefined for a complete draft. */
export function lookupFault({ on, columns, table }: LookupDraft, view: View): string | undefined {
  if ((view.lookups ?? []).length >= LOOKUPS_MAX) return `Columns of at most ${LOOKUPS_MAX} tables can be added.`;
  const missing = table.primaryKey.find((key) => !on[key]);
  if (missing !== undefined) return `Choose the column with the values of ${missing}.`;
  return columns.length === 0 ? `Choose at least one column of ${table.slug}.` : undefined;
}

/** The view with the columns that a draft adds, which are shown after those that are. */
export function withLookup(view: View, { table, on, columns }: LookupDraft, own: readonly ViewColumn[]): View {
  const taken = [...(view.lookups ?? []).map(({ as }) => as), ...own.map(({ name }) => name.split(".", 1)[0] ?? "")];
  const as = aliasFor(table.slug, undefined, taken);
  const lookup: ViewLookup = { table_id: table.id, on, columns: [...columns], as };
  const shown = view.columns && [...view.columns, ...columns.map((name) => `${as}.${name}`)];
  return { ...view, lookups: [...(view.lookups ?? []), lookup], columns: shown };
}
