import { didYouMean, MEANT_MAX } from "@/lib/engine/grammar/did-you-mean";
import type { ViewColumn } from "./view";

/** Where parts are read from, and where faults go. */
export interface Reading {
  all: (parameter: string) => string[];
  /** The number of faults so far. */
  faults: () => number;
  columns: readonly ViewColumn[];
  reject: (parameter: string, text: string, message: string) => void;
}

/** Names that a result column may be given. */
export const ALIAS = /^[A-Za-z_]\w{0,62}$/;

/** The first `most` items; the others are reported as a fault. */
export function bounded(reading: Reading, parameter: string, items: string[], most: number): string[] {
  if (items.length > most)
    reading.reject(parameter, items.slice(most).join(", "), `Too many items: ${items.length} (maximum ${most}).`);
  return items.slice(0, most);
}

/** `Unknown column "orign". Did you mean "origin"?` */
export function unknown(reading: Reading, what: string, name: string, candidates: readonly string[]): string {
  const meant = reading.faults() < MEANT_MAX ? didYouMean(name, candidates) : undefined;
  return (
    `Unknown ${what} ` +
    `${JSON.stringify(name.slice(0, 100))}.${meant === undefined ? "" : ` Did you mean ${JSON.stringify(meant)}?`}`
  );
}

export const namesOf = (reading: Reading): string[] => reading.columns.map((column) => column.name);
export const has = (reading: Reading, name: string): boolean => reading.columns.some((column) => column.name === name);
