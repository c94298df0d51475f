/** The time and memory of reading a file into Parquet. */
export interface Taken {
  ms: number;
  /** Processor time of the process, without the database's. */
  busyMs: number;
  peakMb: number;
  /** In order; empty for DuckDB's own COPY. */
  steps: { name: string; ms: number }[];
}
