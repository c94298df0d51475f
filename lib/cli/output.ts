import type { z } from "zod";

/** Prints a result: one JSON document with --json, else lines of `name  value`. */
export function print(result: Readonly<Record<string, unknown>>, json: boolean | undefined): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return;
  }
  const width = Math.max(...Object.keys(result).map((name) => name.length));
  for (const [name, value] of Object.entries(result))
    process.stdout.write(`${name.padEnd(width)}  ${value === null ? "–" : String(value)}\n`);
}

/** Prints rows: one JSON array with --json, else a table. */
export function printRows(rows: readonly Readonly<Record<string, unknown>>[], json: boolean | undefined): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    return;
  }
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => (row[name] === null ? "–" : String(row[name]))))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  for (const line of cells)
    process.stdout.write(
      `${line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()}\n`,
    );
}

/** Checks options; throws one message that names every bad one. */
export function checked<T>(schema: z.ZodType<T>, options: unknown): T {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  throw new Error(
    parsed.error.issues.map((issue) => `${issue.path.map(String).join(".")}: ${issue.message}`).join("\n"),
  );
}
