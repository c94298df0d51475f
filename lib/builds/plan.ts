import type { JsonKind } from "@/lib/publish/json-members";
import type { Lock } from "./lock";

/** plan.json: what the worker writes into a run's folder before it starts the sandbox. It holds no secret. */
export interface BuildPlan {
  plan: "service-plan.v1";
  run: string;
  mode: "sample" | "full";
  /** What the sealed files say of their dataset. */
  dataset: { slug: string; title: string };
  /** The document's canonical JSON text, so that its numbers keep their digits; `readRecipe` reads it again. */
  recipe: string;
  /** Made by a sample; without one (a first sample) inference decides. */
  lock: Lock | null;
  sources: PlannedSource[];
  /** By table name: the Parquet file of its current release, copied into the folder. */
  previous: Readonly<Record<string, string>>;
  limits: BuildLimits;
  engine: EngineWords;
  /** The instant of `to: now`, of checks and of nothing else: ISO 8601, UTC. */
  now: string;
  /** By source: of its rows in the run before. Nothing is built where they are all the same. */
  unchangedIf?: Readonly<Record<string, string>>;
  /** Only to look at: nothing is decoded or built. */
  inspect?: PlannedInspection;
}

/** What is to be looked at; paths are relative to the run's folder. */
export interface PlannedInspection {
  file: string;
  /** The source's last bytes, where they were read apart. */
  tail: string | null;
  /** Of the address, for its ending. */
  name: string;
  mediaType: string | null;
  isWhole: boolean;
  /** How much is looked at after unpacking. */
  headBytes: number;
  /** The reply's Link header. */
  link: string | null;
  /** Null for a file without an address. */
  url: string | null;
  /** A reader to try instead of the proposed one. */
  reader: { format: string; options: Record<string, unknown> } | null;
  /** A glob of the archive's member. */
  member: string | null;
}

export interface BuildLimits {
  /** Of one source. */
  rows: number;
  unpackedBytes: number;
  diskMb: number;
  seconds: number;
}

/** What reproducible output depends on besides source bytes and recipe digest. */
export interface EngineWords {
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
  /** A sample left pieces of it unread. */
  isPart?: true;
}

/** One raw file of a source: a page, a slice, a partition, or all of it. Paths are relative to the run's folder. */
export interface PlannedPart {
  partition: string | null;
  file: string;
  /** The file ends where a sample's bytes did, within a record perhaps. */
  isCut?: true;
}

/** What the sandbox's readers made of one source: its cells, or Parquet that our own DuckDB wrote. */
export interface StagedSource {
  name: string;
  ordinal: number;
  /**
   * `text` and `json`: one CSV file without a header, in UTF-8, RFC 4180, whose records are
   * `row,part,cell,cell,…`. `row` is the number that a person sees when they open the file (line of the record's
   * start, row of the sheet, index in the array), `part` counts `parts` from 0. A bare empty cell is null, `""` an
   * empty string. In `json` strings carry the mark `s` before their first character; other values are their own JSON
   * text, objects and arrays quoted; a missing member or null is bare. Records of `json` may end early.
   * `parquet`: one file for each part.
   */
  form: "text" | "json" | "parquet";
  files: string[];
  columns: StagedColumn[];
  /** Written to `files`; DuckDB must find as many. */
  rows: number;
  /** Rows of the whole source, where reading ended early; null where nobody knows. */
  rowsOf: number | null;
  /** Of the longest record of the CSV file, in bytes. */
  longestBytes: number;
  parts: { partition: string | null; member: string | null }[];
  /** Records and cells that the reader left out: ragged, bad bytes, bad lines. Exact counts beside the first 50. */
  rejected: { rows: number; examples: { part: number; row: number; value: string; reason: string }[] };
}

export interface StagedColumn {
  name: string;
  /** Of `json`: what the values were, nulls left out; empty for a column of nothing but nulls. */
  kinds?: JsonKind[];
  /** Of `json`: what the items of arrays were. */
  items?: JsonKind[];
}

/** What the sandbox gives to `runBuild`: a writing DuckDB of its own, locked to the run's folder, with one thread. */
export interface BuildBench {
  /** Paths in statements are absolute: this folder and a relative path. */
  folder: string;
  /** `params` are bound as texts to $1, $2 …; DuckDB takes them in CREATE TABLE AS and COPY too. */
  run(sql: string, params?: readonly string[]): Promise<void>;
  /** Rows of cells that the statement has cast to text. */
  rows(sql: string, params?: readonly string[]): Promise<(string | null)[][]>;
}

/** Progress events of a build; the sandbox prints each as one line of JSON. */
export type BuildEvent =
  | { phase: "decode"; source: string; bytes: number; rows: number }
  | { staged: { source: string; rows: number; columns: number } }
  | { step: { table: string; step: number; kind: string; rows: number | null } }
  | { rejects: { table: string; step: number; column: string; cells: number } }
  | { check: CheckResult }
  | { file: BuiltFile }
  | { failed: BuildFailure }
  | { done: true };

/** Codes of build.md D.6 that come from recipes and data. */
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
  /** `pointer` is of the document. */
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
  /** The first failures: the row's number from 1 where one row fails, and the values that the check looked at. */
  examples: {
    row: number | null;
    values: (string | null)[];
    /** The values by name, behind the cells that tell the row from others. */
    cells: Readonly<Record<string, string | null>>;
  }[];
  message: string;
}

/** One rejected cell, or a row that a reader left out. */
export interface Reject {
  table: string | null;
  /** Counts the table's steps from 0; null for a reader's. */
  step: number | null;
  column: string | null;
  source: string | null;
  partition: string | null;
  /** The number that a person sees in the file; null for rows that steps made. */
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
  /** Relative to the run's folder: `out/<table>.parquet`. The sandbox makes the folder before, and the digest after. */
  path: string;
  rows: number;
  columns: BuiltColumn[];
  primaryKey: string[];
  /** Of `time_column`: its greatest day, YYYY-MM-DD; null without one or without rows. */
  dataThrough: string | null;
}

export interface RejectCount {
  table: string;
  step: number;
  column: string;
  cells: number;
  /** Whether its rows were dropped too. */
  dropsRows: boolean;
}

/** A step after which there are more or fewer rows. In a full run, the last of several that were run as one. */
export interface StepRows {
  table: string;
  /** Counts the table's steps from 0. */
  step: number;
  kind: string;
  from: number;
  to: number;
}

/** The outcome of a build. `failure` comes with everything that was found before it. */
export interface BuildOutcome {
  failure: BuildFailure | null;
  files: BuiltFile[];
  checks: CheckResult[];
  rejects: Reject[];
  rejectCounts: RejectCount[];
  rejectTotals: { cells: number; rows: number };
  stepRows: StepRows[];
  /** The lock that this run was made under: the plan's, or the one that its inference made. Null after a failure. */
  lock: Lock | null;
  /** What arrived from each source against the lock: columns that came, went or changed their kind. */
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
