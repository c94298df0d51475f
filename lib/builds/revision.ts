import { isLosslessNumber } from "lossless-json";
import { pointerTo } from "@/lib/engine/grammar/pointer";
import type { CheckedColumn, CheckedRecipe } from "./check-recipe";
import { canonicalJson } from "./document/canonical";
import { meaningOf } from "./document/digests";
import { readTree } from "./document/tree";
import { readsMoreOften } from "./schedule-change";
import { type WeakenedCheck, weakenedChecks } from "./weakened-checks";

/** One place where two documents differ. */
export interface Difference {
  pointer: string;
  op: "add" | "remove" | "replace";
  before?: unknown;
  after?: unknown;
}

export interface ColumnChange {
  table: string;
  column: string;
}

/** What a new revision changes, as shown for approval. */
export interface Impact {
  /** The level of its greatest change: texts < safe < shape < sources < publishing. */
  level: "texts" | "safe" | "shape" | "sources" | "publishing";
  columns: {
    added: ColumnChange[];
    removed: ColumnChange[];
    retyped: (ColumnChange & { from: string; to: string })[];
    /** The same values under another name; neither added nor removed. */
    renamed: (ColumnChange & { to: string })[];
  };
  /** Tables whose primary key, order or time column changed. */
  keysChanged: string[];
  /** Tables whose contract changed. */
  contractsChanged: string[];
  /** Earlier checks that were removed or may pass more rows. */
  checksWeakened: WeakenedCheck[];
  newHosts: string[];
  newCredentials: string[];
  scheduleChanged: boolean;
  /** Whether sources are read more often, or automatically for the first time. */
  readsMoreOften: boolean;
}

/** Compares two revisions of a dataset, both checked against the same sources. */
export function impactOf(before: CheckedRecipe, after: CheckedRecipe): Impact {
  const columns = columnChanges(before, after);
  type Table = (typeof before.recipe.tables)[number];
  const changedIn = (of: (table: Table) => unknown): string[] =>
    before.recipe.tables.flatMap((table) => {
      const now = after.recipe.tables.find(({ name }) => name === table.name);
      return now && JSON.stringify(of(now)) !== JSON.stringify(of(table)) ? [table.name] : [];
    });
  const hosts = hostsOf(before);
  const credentials = credentialsOf(before);
  const impact = {
    columns,
    keysChanged: changedIn((table) => [table.primary_key, table.order_by, table.time_column]),
    contractsChanged: changedIn(({ contract }) => contract),
    checksWeakened: before.recipe.tables.flatMap((table) =>
      weakenedChecks(
        table,
        after.recipe.tables.find(({ name }) => name === table.name),
      ),
    ),
    newHosts: hostsOf(after).filter((host) => !hosts.includes(host)),
    newCredentials: credentialsOf(after).filter((name) => !credentials.includes(name)),
    scheduleChanged: canonicalJson(before.recipe.refresh ?? null) !== canonicalJson(after.recipe.refresh ?? null),
    readsMoreOften: readsMoreOften(before.recipe.refresh, after.recipe.refresh),
  };
  return { level: levelOf(before, after, impact), ...impact };
}

/** Every place where two documents differ, by pointer. Lists are compared item by item. */
export function differences(before: unknown, after: unknown, pointer = ""): Difference[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  const [a, b] = [membersOf(before), membersOf(after)];
  if (!a || !b || Array.isArray(before) !== Array.isArray(after)) return [{ pointer, op: "replace", before, after }];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key): Difference[] => {
    const at = pointer + pointerTo(key);
    if (!Object.hasOwn(a, key)) return [{ pointer: at, op: "add", after: b[key] }];
    return Object.hasOwn(b, key) ? differences(a[key], b[key], at) : [{ pointer: at, op: "remove", before: a[key] }];
  });
}

const membersOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === "object" && value !== null && !isLosslessNumber(value)
    ? (value as Record<string, unknown>)
    : undefined;

type DerivedChange = ColumnChange & Pick<CheckedColumn, "type" | "derivedFrom">;

function columnChanges(before: CheckedRecipe, after: CheckedRecipe): Impact["columns"] {
  const [then, now] = [columnsOf(before), columnsOf(after)];
  const came = [...now].flatMap(([key, column]) => (then.has(key) ? [] : [column]));
  const gone = [...then].flatMap(([key, column]) => (now.has(key) ? [] : [column]));
  const renamed = renames(gone, came);
  const isNew = ({ table, column }: DerivedChange) =>
    !renamed.some((each) => each.table === table && each.to === column);
  const isRemoved = ({ table, column }: DerivedChange) =>
    !renamed.some((each) => each.table === table && each.column === column);
  const retyped = [...now].flatMap(([key, { table, column, type: to }]) => {
    const from = then.get(key)?.type;
    return from && to && from !== to ? [{ table, column, from, to }] : [];
  });
  const columnChange = ({ table, column }: DerivedChange): ColumnChange => ({ table, column });
  return {
    added: came.filter(isNew).map(columnChange),
    removed: gone.filter(isRemoved).map(columnChange),
    retyped,
    renamed,
  };
}

/** Pairs of a removed and an added column with the same type and the same derivation from columns of sources. */
function renames(gone: readonly DerivedChange[], came: readonly DerivedChange[]): Impact["columns"]["renamed"] {
  const isLike = (a: DerivedChange) => (b: DerivedChange) =>
    a.table === b.table && a.type === b.type && a.derivedFrom !== "" && a.derivedFrom === b.derivedFrom;
  return gone.flatMap((column) => {
    const [like, ...others] = came.filter(isLike(column));
    const isOnly = gone.filter(isLike(column)).length === 1;
    return like && isOnly && others.length === 0
      ? [{ table: column.table, column: column.column, to: like.column }]
      : [];
  });
}

const columnsOf = ({ tables }: CheckedRecipe): Map<string, DerivedChange> =>
  new Map(
    tables.flatMap(({ name: table, slug, columns }) =>
      slug === null
        ? []
        : columns.map(({ name: column, ...rest }) => [JSON.stringify([table, column]), { table, column, ...rest }]),
    ),
  );

function hostsOf({ recipe }: CheckedRecipe): string[] {
  const addresses = recipe.sources.flatMap((source) =>
    source.kind === "http" ? [source.url, source.template?.url, ...(source.urls ?? [])] : [],
  );
  const hosts = addresses.flatMap((address) =>
    address === undefined ? [] : [new URL(address.replace(/\{[^{}]*\}/g, "0")).host],
  );
  return [...new Set(hosts)].sort();
}

const credentialsOf = ({ recipe }: CheckedRecipe): string[] =>
  recipe.sources.flatMap((source) => (source.kind === "http" && source.credential ? [source.credential] : []));

function levelOf(before: CheckedRecipe, after: CheckedRecipe, impact: Omit<Impact, "level">): Impact["level"] {
  const published = ({ recipe, tables }: CheckedRecipe) => {
    const { license, publisher, attribution } = recipe.publish;
    const licences = recipe.tables.map((table) => table.license);
    return canonicalJson({ license, publisher, attribution, licences, slugs: tables.map(({ slug }) => slug) });
  };
  if (published(before) !== published(after)) return "publishing";
  if (canonicalJson(before.recipe.sources) !== canonicalJson(after.recipe.sources) && sourcesDiffer(before, after))
    return "sources";
  const { added, removed, retyped, renamed } = impact.columns;
  const columns = added.length + removed.length + retyped.length + renamed.length;
  if (columns + impact.keysChanged.length + impact.contractsChanged.length > 0) return "shape";
  return meaningText(before) === meaningText(after) ? "texts" : "safe";
}

const meaningText = ({ canonical }: CheckedRecipe): string => canonicalJson(meaningOf(readTree(canonical)));

function sourcesDiffer(before: CheckedRecipe, after: CheckedRecipe): boolean {
  const sources = ({ canonical }: CheckedRecipe) =>
    canonicalJson((meaningOf(readTree(canonical)) as { sources: unknown }).sources);
  return sources(before) !== sources(after);
}
