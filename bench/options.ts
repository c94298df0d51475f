import { parseArgs } from "node:util";

export const CASES = ["point", "page", "pagination", "floor", "download", "clients", "memory", "soak", "site"] as const;

export type CaseName = (typeof CASES)[number];

export interface Options {
  cases: CaseName[];
  /** Rows of the generated table. */
  rows: number;
  port: number;
  /** Whether to keep the data folder for the next run. */
  keep: boolean;
}

export const ROWS_FULL = 10_000_000;

/** The command's options; without `--cases` all but the soak run and the site. Throws on anything unknown. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      cases: { type: "string", default: CASES.filter((name) => name !== "soak" && name !== "site").join(",") },
      rows: { type: "string", default: String(ROWS_FULL) },
      port: { type: "string", default: "4870" },
      keep: { type: "boolean", default: false },
    },
  });
  const names = values.cases.split(",");
  const unknown = names.filter((name) => !CASES.includes(name as CaseName));
  if (unknown.length > 0) throw new Error(`Unknown cases: ${unknown.join(", ")}. There are ${CASES.join(", ")}.`);
  return {
    cases: CASES.filter((name) => names.includes(name)),
    rows: Number(values.rows),
    port: Number(values.port),
    keep: values.keep,
  };
}
