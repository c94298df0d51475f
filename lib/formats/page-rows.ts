import { type LosslessNumber, parse } from "lossless-json";
import type { QueryPage } from "@/lib/engine/run/reply";

/** A value of a reply; numbers keep their digits. */
export type Value = null | boolean | string | LosslessNumber | readonly Value[] | { readonly [name: string]: Value };

/** What a page format is written from. */
export type PageRows = Pick<QueryPage, "columns" | "rowParts" | "returnedRows"> & {
  /** Where the rows are from, as names and values, for formats that can say so. */
  source?: readonly (readonly [name: string, value: string])[] | undefined;
};

export type Row = Readonly<Record<string, Value>>;

/** The rows of a page, parsed from the bytes of the JSON reply: every format has the same values. */
export const rowsOf = (page: Pick<QueryPage, "rowParts">): readonly Row[] =>
  parse(`[${Buffer.concat(page.rowParts).toString("utf8")}]`) as Row[];
