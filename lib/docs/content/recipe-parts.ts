import type { z } from "zod";
import { type Block, name, table } from "@/lib/docs/doc";
import { schemaFields } from "@/lib/docs/schema-fields";

/** The keys of a part of a recipe; those that are shown elsewhere are left out with what is within them. */
export function keysOf(label: string, schema: z.ZodType, without: readonly string[] = []): Block {
  const isOut = (field: string) =>
    without.some((key) => field === key || field.startsWith(`${key}.`) || field.startsWith(`${key}[]`));
  return { kind: "fields", label, fields: schemaFields(schema).filter((field) => !isOut(field.name)) };
}

/** A part of a recipe, as JSON. */
export const jsonBlock = (label: string, value: unknown): Block => ({
  kind: "code",
  label,
  language: "json",
  code: JSON.stringify(value, null, 2),
});

/** Rows of cells: strings as code, null as the word. */
export const cellTable = (
  label: string,
  head: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): Block =>
  table(
    label,
    head,
    rows.map((row) => row.map((cell) => (cell === null ? "null" : name(cell === "" ? '""' : cell)))),
  );
