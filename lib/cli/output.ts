import type { z } from "zod";
import { printable, printableJson } from "./printable";

/** Prints a result: one JSON document with --json, otherwise lines of `name  value`. */
export function print(result: Readonly<Record<string, unknown>>, json: boolean | undefined): void {
  if (json) {
    process.stdout.write(`${printableJson(JSON.stringify(result))}\n`);
    return;
  }
  const width = Math.max(...Object.keys(result).map((name) => name.length));
  for (const [name, value] of Object.entries(result)) process.stdout.write(`${name.padEnd(width)}  ${cellOf(value)}\n`);
}

/**
 * A value on one line: names chosen by people or their browsers can neither control the terminal nor break the table.
 */
const cellOf = (value: unknown): string => (value === null ? "–" : printable(String(value)).replace(/\s+/g, " "));

/** Writes a line for a person to standard error. */
export const report = (text: string): void => void process.stderr.write(`${printable(text)}\n`);

/** Prints rows: one JSON array with --json, otherwise a table. */
export function printRows(rows: readonly Readonly<Record<string, unknown>>[], json: boolean | undefined): void {
  if (json) {
    process.stdout.write(`${printableJson(JSON.stringify(rows))}\n`);
    return;
  }
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => cellOf(row[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  for (const line of cells)
    process.stdout.write(
      `${line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()}\n`,
    );
}

/** Checks options; throws one message that lists every invalid one. */
export function checked<T>(schema: z.ZodType<T>, options: unknown): T {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  throw new Error(
    parsed.error.issues.map((issue) => `${issue.path.map(String).join(".")}: ${issue.message}`).join("\n"),
  );
}
