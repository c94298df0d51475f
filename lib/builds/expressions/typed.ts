import type { RelationColumn } from "@/lib/builds/relation";
import { commonType, storageOf } from "@/lib/builds/relation";
import type { ColumnType } from "@/lib/engine/types/column-type";
import { columnTypeOf } from "@/lib/engine/types/column-types";

/** Values that a statement uses several times, computed in inner SELECTs: `rows[1]` may use those of `rows[0]`. */
export class Layers {
  readonly rows: string[][] = [];
  #count = 0;
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Names a value, so that a statement grows linearly with its expression. Names and literals are kept as they are. */
  name(value: Sql): Sql {
    if (/^(?:\w+|CAST\(\$\d+ AS [A-Z0-9(), ]+\))$/.test(value.sql)) return value;
    const name = `${this.#prefix}${this.#count++}`;
    while (this.rows.length <= value.level) this.rows.push([]);
    this.rows[value.level]?.push(`${value.sql} AS ${name}`);
    return { sql: name, level: value.level + 1 };
  }
}

/** `level`: the number of layers required below. */
export interface Sql {
  sql: string;
  level: number;
}

export interface Emit {
  layers: Layers;
}

/** A checked expression. `type` is undefined if not known yet; `literal` is the value of a constant. */
export interface Typed {
  type: ColumnType | undefined;
  isNull?: true;
  literal?: string | boolean;
  columns: readonly RelationColumn[];
  emit(to: Emit): Sql;
}

export const combined = (parts: readonly Sql[], sql: string): Sql => ({
  sql,
  level: Math.max(0, ...parts.map(({ level }) => level)),
});

/** The common type that all are cast to. Undefined if one type is not known; "none" if there is no common type. */
export function unified(parts: readonly Typed[]): ColumnType | undefined | "none" {
  const typed = parts.filter((part) => !part.isNull);
  if (typed.some((part) => part.type === undefined)) return undefined;
  return typed.reduce<ColumnType | undefined | "none">((common, { type }) => {
    if (common === "none" || !type) return common;
    return common === undefined ? type : (commonType(common, type) ?? "none");
  }, undefined);
}

/** A value cast to a type, if it has a different one. */
export function castTo(value: Sql, from: ColumnType | undefined, to: ColumnType): Sql {
  return from?.name === to.name ? value : { sql: `CAST(${value.sql} AS ${storageOf(to)})`, level: value.level };
}

export const typeNamed = (name: string): ColumnType => columnTypeOf({ type: name });
