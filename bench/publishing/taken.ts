/** What reading a file into Parquet took. */
export interface Taken {
  ms: number;
  /** Processor time of the process, without the database's. */
  busyMs: number;
  peakMb: number;
  /** In order; none of DuckDB's own. */
  steps: { name: string; ms: number }[];
}
