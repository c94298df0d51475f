import { parseArgs } from "node:util";

export const CASES = [
  ...([
    "beside",
    "again",
    "point",
    "page",
    "pagination",
    "floor",
    "pages",
    "download",
    "clients",
    "overload",
    "memory",
    "soak",
  ] as const),
  ...(["site", "catalogue", "publish", "bands", "telemetry", "words"] as const),
] as const;

/** Cases that run only if they are named. */
const NAMED_ALONE: readonly CaseName[] = ["soak", "site", "catalogue", "publish", "bands", "telemetry", "words"];

export type CaseName = (typeof CASES)[number];

export interface Options {
  cases: CaseName[];
  /** Rows of the generated table. */
  rows: number;
  port: number;
  /** How long the soak run takes. */
  minutes: number;
  /** Datasets of the generated catalogue. */
  datasets: number;
  /** Whether to keep the data folder for the next run, as `--quick` does. */
  keep: boolean;
  /** Divides the time of each measurement. */
  haste: number;
}

/** What `--quick` measures, in under three minutes, for every change. */
const QUICK: readonly CaseName[] = ["beside", "again", "floor", "pages"];
const QUICK_ROWS = 100_000;
const QUICK_HASTE = 4;

export const DATASETS_FULL = 10_000;
export const ROWS_FULL = 10_000_000;

/**
 * The command's options. Without `--cases`: all cases except those that must be named, or the quick ones. Throws on
 * anything unknown.
 */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      cases: { type: "string" },
      rows: { type: "string" },
      port: { type: "string", default: "4870" },
      minutes: { type: "string", default: "1" },
      datasets: { type: "string", default: String(DATASETS_FULL) },
      keep: { type: "boolean", default: false },
    },
  });
  const whole = CASES.filter((name) => !NAMED_ALONE.includes(name));
  const names: readonly string[] = values.cases?.split(",") ?? (values.quick ? QUICK : whole);
  const unknown = names.filter((name) => !CASES.includes(name as CaseName));
  if (unknown.length > 0) throw new Error(`Unknown cases: ${unknown.join(", ")}. Choose from ${CASES.join(", ")}.`);
  return {
    cases: CASES.filter((name) => names.includes(name)),
    rows: Number(values.rows ?? (values.quick ? QUICK_ROWS : ROWS_FULL)),
    port: Number(values.port),
    minutes: Number(values.minutes),
    datasets: Number(values.datasets),
    keep: values.keep || values.quick,
    haste: values.quick ? QUICK_HASTE : 1,
  };
}
