import { tableSegment } from "@/lib/describe/links";

/** A table of the page, as its URL names it: `flights:us-flights-2001/flights@<version>`. */
export interface NamedTable {
  /** Its name in queries. */
  name: string;
  slug: string;
  /** The table's part of its URLs. */
  table: string;
  /** A version's id, number or label; the current one without it. */
  version: string | undefined;
}

const NAMED = /^(?:([A-Za-z_][A-Za-z0-9_]{0,62}):)?([a-z0-9-]{1,100})\/([a-z0-9-]{1,100})(?:@(.{1,200}))?$/;

/** Undefined if it names no table. */
export function readNamedTable(text: string): NamedTable | undefined {
  const [, name, slug, table, version] = NAMED.exec(text) ?? [];
  return slug === undefined || table === undefined
    ? undefined
    : { name: name ?? sqlNameOf(table), slug, table, version };
}

/** A name that SQL needs no quotes for. */
export function sqlNameOf(slug: string): string {
  const name = slug.replace(/[^a-z0-9]+/g, "_").slice(0, 60);
  return /^[a-z_]/.test(name) ? name : `t_${name}`;
}

const namedTableText = ({ name, slug, table, version }: NamedTable): string =>
  `${name}:${slug}/${table}${version === undefined ? "" : `@${version}`}`;

/** The page with one table, in a version of it or the current one. */
export const tableSqlUrl = (slug: string, table: string, version?: string | undefined): string =>
  sqlUrl([{ name: sqlNameOf(table), slug, table: tableSegment(table), version }]);

/** The page with these tables and this query. */
export function sqlUrl(tables: readonly NamedTable[], sql?: string | undefined): string {
  const parameters = new URLSearchParams(tables.map((each) => ["t", namedTableText(each)]));
  if (sql !== undefined && sql !== "") parameters.set("q", sql);
  const search = parameters.toString().replaceAll("%3A", ":").replaceAll("%2F", "/").replaceAll("%40", "@");
  return search === "" ? "/sql" : `/sql?${search}`;
}
