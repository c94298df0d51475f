import { type LosslessNumber, parse } from "lossless-json";
import type { QueryPage } from "@/lib/engine/run/query";

/** A value of a reply; numbers keep their own digits. */
export type Value = null | boolean | string | LosslessNumber | readonly Value[] | { readonly [name: string]: Value };

export type Row = Readonly<Record<string, Value>>;

/** The rows of a page, read from the very bytes that the JSON reply would be: every form says the same. */
export const rowsOf = (page: QueryPage): readonly Row[] =>
  parse(`[${Buffer.concat(page.rowParts).toString("utf8")}]`) as Row[];
