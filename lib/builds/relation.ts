import type { ColumnType } from "@/lib/engine/types/column-type";
import { columnTypeOf, type EngineColumn, parseColumnType } from "@/lib/engine/types/column-types";

/** Where a column's values come from. */
export interface Origin {
  source: string;
  column: string;
}

export type LineageKind = "copied" | "parsed" | "derived" | "aggregated" | "constant";

/** A column of a relation: `c0`, `c1` … in SQL, by position. */
export interface RelationColumn {
  name: string;
  /** Undefined if unknown until a source has been read. */
  type: ColumnType | undefined;
  /** DuckDB's type name; empty if the type is not known. */
  storage: string;
  from: readonly Origin[];
  steps: readonly number[];
  kind: LineageKind;
  /** Set for a column that an unpivot repeats in each of its rows. */
  isRepeated?: boolean;
  /** Set for text that nothing has typed yet. At the end its type is inferred once, and locked. */
  isUntyped?: boolean;
}

/** The input and output of a step. `isOpen`: it may have further columns, whose names are not known yet. */
export interface Relation {
  columns: readonly RelationColumn[];
  isOpen: boolean;
}

/** The type under which a column is stored by DuckDB. */
export const storageOf = (type: ColumnType): string => type.duckdb ?? "VARCHAR";

/** A column that a step makes from others. */
export function derivedColumn(
  name: string,
  type: ColumnType | undefined,
  from: readonly RelationColumn[],
  origin: { step: number; kind: LineageKind },
): RelationColumn {
  return {
    name,
    type,
    storage: type ? storageOf(type) : "",
    from: distinct(from.flatMap((column) => column.from)),
    steps: [...new Set([...from.flatMap((column) => column.steps), origin.step])].sort((a, b) => a - b),
    kind: from.length === 0 ? "constant" : origin.kind,
  };
}

function distinct(origins: readonly Origin[]): Origin[] {
  const seen = new Set<string>();
  return origins.filter(({ source, column }) => {
    const key = JSON.stringify([source, column]);
    return !seen.has(key) && seen.add(key);
  });
}

/** The relation of a source, whose columns arrive as they are. */
export function sourceRelation(
  source: string,
  columns: readonly { name: string; type: string; storage: string }[],
  isText: boolean,
): Relation {
  return {
    isOpen: false,
    columns: columns.map(({ name, type, storage }) => ({
      name,
      type: columnTypeOf({ type }),
      storage,
      from: [{ source, column: name }],
      steps: [],
      kind: "copied",
      ...(isText && { isUntyped: true }),
    })),
  };
}

/** The columns in the form of the engine's planning; columns of unknown type are opaque. */
export const engineColumns = (relation: Relation): EngineColumn[] =>
  relation.columns.map(({ name, type, storage }) => ({ name, type: type?.name ?? "json", storage }));

/** The common type of two types, by integer → decimal → float64; undefined if there is none. */
export function commonType(a: ColumnType, b: ColumnType): ColumnType | undefined {
  if (a.name === b.name) return a;
  if (!a.number || !b.number) return undefined;
  if (a.number.isFloat || b.number.isFloat) return parseColumnType("float64");
  const scale = Math.max(a.number.scale, b.number.scale);
  const isWhole = scale === 0 && !/^(?:decimal|uint64)/.test(a.name) && !/^(?:decimal|uint64)/.test(b.name);
  return parseColumnType(isWhole ? "int64" : `decimal(38,${scale})`);
}

const NAMED_MAX = 40;

/** The columns that there are, for the message about one that is missing. */
export function columnsNow(names: readonly string[]): string {
  const named = names.slice(0, NAMED_MAX).map((name) => JSON.stringify(name.slice(0, 100)));
  const more = names.length - named.length;
  return `The columns are now ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}
