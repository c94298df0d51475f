import type { LeftOut } from "@/lib/readers/left-out";
import type { StatedTotal } from "@/lib/sources/stated-total";
import type { Lock } from "./lock";

/** plan.json, which the worker writes into a run's folder before it starts the sandbox. It contains no secrets. */
export interface BuildPlan {
  plan: "service-plan.v1";
  run: string;
  mode: "sample" | "full";
  /** What the sealed files say about their dataset. */
  dataset: { slug: string; title: string };
  /** The document's canonical JSON text, so that its numbers keep their digits; `readRecipe` reads it again. */
  recipe: string;
  /** Created by a sample. Without one (for a first sample) inference decides. */
  lock: Lock | null;
  sources: PlannedSource[];
  /** By table name: the Parquet file of its current release, copied into the folder. */
  previous: Readonly<Record<string, string>>;
  limits: BuildLimits;
  engine: EngineVersions;
  /** The instant used for `to: now` and for checks, and for nothing else: ISO 8601, UTC. */
  now: string;
  /** By source: the digest of its rows in the previous run. Nothing is built if all are unchanged. */
  unchangedIf?: Readonly<Record<string, string>>;
  /** For an inspection, which builds nothing. */
  inspect?: PlannedInspection;
}

/** What to inspect. Paths are relative to the run's folder. */
export interface PlannedInspection {
  file: string;
  /** The source's last bytes, if they were read separately. */
  tail: string | null;
  /** The file's name in the URL, for its extension. */
  name: string;
  mediaType: string | null;
  isWhole: boolean;
  /** How many bytes are inspected after unpacking. */
  headBytes: number;
  /** The reply's Link header. */
  link: string | null;
  /** How many records there are, according to the head of the reply. */
  stated?: StatedTotal;
  /** Set if the source's pages are known already. */
  hasPages?: true;
  /** Null for a file without a URL. */
  url: string | null;
  /** A reader to try instead of the proposed one. */
  reader: { format: string; options: Record<string, unknown> } | null;
  /** A glob for the archive's member. */
  member: string | null;
  /** Set if only the files of a package are listed. */
  lists?: true;
}

export interface BuildLimits {
  /** Maximum number of rows of one source. */
  rows: number;
  unpackedBytes: number;
  diskMb: number;
  seconds: number;
}

/** What reproducible output depends on in addition to source bytes and recipe digest. */
export interface EngineVersions {
  duckdb: string;
  readers: number;
  memoryMb: number;
  threads: 1;
}

export interface PlannedSource {
  name: string;
  /** From 1, in the document's order; part of every row's origin. */
  ordinal: number;
  parts: PlannedPart[];
  /** Set if a sample left parts of it unread. */
  isPart?: true;
}

/** One raw file of a source: a page, a slice, a partition, or all of it. Paths are relative to the run's folder. */
export interface PlannedPart {
  partition: string | null;
  file: string;
  /** Set if the file ends where a sample's bytes ended, possibly within a record. */
  isCut?: true;
  /** How many records there are, according to the head of the reply. */
  stated?: StatedTotal;
}

/**
 * What the sandbox passes to `runBuild`: a separate DuckDB that may write, locked to the run's folder, with one thread.
 */
export interface BuildBench {
  /** Paths in statements are absolute: this folder followed by a relative path. */
  folder: string;
  run(sql: string): Promise<void>;
  /** Rows of cells that the statement has cast to text. */
  rows(sql: string): Promise<(string | null)[][]>;
}

/** Progress events of a build; the sandbox prints each as one line of JSON. */
export type BuildEvent =
  | { phase: "decode"; source: string; bytes: number; rows: number }
  | { staged: { source: string; rows: number; columns: number } }
  | { step: { table: string; step: number; kind: string; rows: number | null; told?: StepRows } }
  | { rejects: { table: string; step: number; column: string; cells: number } }
  | { check: CheckResult }
  | { file: BuiltFile }
  | { failed: BuildFailure }
  | { done: true };

/** Codes of build.md D.6 that are caused by recipes and data. */
export const BUILD_FAILURES = [
  "reader_mismatch",
  "header_mismatch",
  "schema_violation",
  "too_many_rejects",
  "key_violation",
  "join_multiple",
  "join_unmatched",
  "value_overflow",
  "check_failed",
  "rows_exceeded",
] as const;
export type BuildFailureCode = (typeof BUILD_FAILURES)[number];

export interface BuildFailure {
  code: BuildFailureCode;
  /** One or two sentences for a person: what was wrong with the value, then what to do. */
  message: string;
  /** `pointer` refers to the document. */
  at: { table: string; step?: number; column?: string; pointer?: string };
  didYouMean?: string;
}

export interface CheckResult {
  table: string;
  check: string;
  pointer: string;
  title: string | null;
  severity: "error" | "warn";
  outcome: "passed" | "failed" | "not_applicable";
  failures: number;
  examined: number;
  /** The first failures: the row's number from 1 if a single row fails, and the values that the check looked at. */
  examples: {
    row: number | null;
    values: (string | null)[];
    /** The values by name, preceded by the cells that identify the row. */
    cells: Readonly<Record<string, string | null>>;
  }[];
  message: string;
}

/** A rejected cell, or a row that a reader skipped. */
export interface Reject {
  table: string | null;
  /** Index of the table's step, from 0; null for a reader. */
  step: number | null;
  column: string | null;
  source: string | null;
  partition: string | null;
  /** The number that a person sees in the file; null for rows created by steps. */
  row: number | null;
  value: string;
  reason: string;
}

export interface BuiltColumn {
  name: string;
  type: string;
  storage: string;
  nullable: boolean;
  description: string | null;
  unit: string | null;
}

export interface BuiltFile {
  table: string;
  slug: string;
  /**
   * Relative to the run's folder: `out/<table>.parquet`. The sandbox creates the folder first and the digest
   * afterwards.
   */
  path: string;
  rows: number;
  columns: BuiltColumn[];
  primaryKey: string[];
  /** The latest day in `time_column`, YYYY-MM-DD; null without one or without rows. */
  dataThrough: string | null;
}

export interface RejectCount {
  table: string;
  step: number;
  column: string;
  cells: number;
  /** Whether the rows were dropped too. */
  dropsRows: boolean;
}

/** A step that changes the number of rows, or that leaves rows without a match. The counts are exact. */
export interface StepRows {
  table: string;
  /** Index of the table's step, from 0. */
  step: number;
  kind: string;
  from: number;
  to: number;
  /** What the step left out: of unpivot, cells without a value; otherwise rows. */
  dropped?: number;
  /** Rows of a left join that have no match. */
  unmatched?: number;
}

/** The first rows that a sample has before the steps of a table, or after one of them. */
export interface StepPreview {
  table: string;
  /** Index of the table's step, from 0; -1 for what the table is made from. */
  step: number;
  /** Number of all rows. */
  rows: number;
  /** Whether rows that the step keeps remain in their order. */
  keeps_order: boolean;
  columns: { name: string; type: string | null }[];
  /** Number of further columns. */
  more_columns: number;
  /** Where each row comes from, which names it before and after a step; null for a row that a step made. */
  origins: (string | null)[];
  /** The cells of each row as text; null if they could not be read, or are more than are kept. */
  cells: (string | null)[][] | null;
}

/** The outcome of a build. With `failure`, it contains everything found before the failure. */
export interface BuildOutcome {
  failure: BuildFailure | null;
  files: BuiltFile[];
  checks: CheckResult[];
  rejects: Reject[];
  /** What the readers of the sources left out, by source and cause. */
  leftOut: (LeftOut & { source: string })[];
  rejectCounts: RejectCount[];
  rejectTotals: { cells: number; rows: number };
  stepRows: StepRows[];
  /** Of a sample, the rows before and after steps; none of a full run. */
  previews: StepPreview[];
  /** The lock of this run: the plan's, or the one created by its inference. Null after a failure. */
  lock: Lock | null;
  /** What arrived from each source compared with the lock: columns that were added, removed or retyped. */
  drift: {
    source: string;
    column: string;
    change: "added" | "removed" | "retyped";
    from: string | null;
    to: string | null;
  }[];
  lineage: TableLineage[];
  sampled: { source: string; rows: number; of: number | null }[];
}

export interface TableLineage {
  table: string;
  columns: Readonly<
    Record<
      string,
      {
        from: { source: string; column: string }[];
        /** Indexes of the table's steps that produced it, from 0. */
        steps: number[];
        kind: "copied" | "parsed" | "derived" | "aggregated" | "constant";
      }
    >
  >;
}

/** Ends a build because of its data or its recipe. Never leaves this folder: `runBuild` returns it. */
export class BuildStopped extends Error {
  readonly failure: BuildFailure;

  constructor(failure: BuildFailure) {
    super(failure.message);
    this.failure = failure;
  }
}
