import { type LosslessNumber, parse } from "lossless-json";
import type { QueryPage } from "@/lib/engine/run/reply";

/** A value of a reply; numbers keep their digits. */
export type Value = null | boolean | string | LosslessNumber | readonly Value[] | { readonly [name: string]: Value };

/** Something that a file says about its rows: to programs by its key, to people by its name. */
export interface Fact {
  key: string;
  name: string;
  value: string;
}

/** What a page format is written from. */
export type PageRows = Pick<QueryPage, "columns" | "rowParts" | "returnedRows"> & {
  /** Where the rows are from, for formats that can say so. */
  source?: readonly Fact[] | undefined;
  /** How many rows of the same file come before these, for formats whose pieces say so. */
  before?: number;
};

export type Row = Readonly<Record<string, Value>>;

/** The rows of a page, parsed from the bytes of the JSON reply: every format has the same values. */
export const rowsOf = (page: Pick<QueryPage, "rowParts">): readonly Row[] =>
  parse(`[${Buffer.concat(page.rowParts).toString("utf8")}]`) as Row[];
