import { z } from "zod";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import type { ToolReply } from "@/lib/operations/tool-part";
import { columnHeadSchema } from "@/lib/schemas/column";

/** Some clients show a model only the structured content, others only the text, so each is complete. */
export const rowReplySchema = z.strictObject({
  status: z.string().describe("COMPLETE, TOP or PARTIAL, with counts."),
  advice: z.string().optional().describe("What to do next."),
  columns: z.array(columnHeadSchema),
  rows: z.array(z.array(z.unknown())).describe("Values in the order of columns."),
  next_cursor: z.string().nullable(),
  citation: z.string(),
});

export interface RowReply {
  status: string;
  /** Sentences. */
  advice: readonly string[];
  columns: readonly { name: string; type: string }[];
  rows: readonly Readonly<Record<string, unknown>>[];
  nextCursor: string | null;
  citation: string;
  /** Further members of the structured content; `advice` is what a reader of the text must know about them. */
  more: Readonly<Record<string, unknown>>;
}

/** A page of rows, each as a list in the order of the columns, in both forms. */
export function rowReply({ status, advice, columns, rows, nextCursor, citation, more }: RowReply): ToolReply {
  const lists = rows.map((row) => columns.map(({ name }) => row[name]));
  const said = advice.join(" ");
  const text = [
    status,
    ...(said === "" ? [] : [said]),
    columns.map(({ name, type }) => `${name} (${type})`).join(" | "),
    ...lists.map((list) => stringifyExactJson(list)),
    ...(nextCursor === null ? [] : [`next_cursor: ${nextCursor}`]),
    citation,
  ].join("\n");
  const structured = {
    status,
    ...(said !== "" && { advice: said }),
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: lists,
    next_cursor: nextCursor,
    citation,
    ...more,
  };
  return { structured, text };
}
