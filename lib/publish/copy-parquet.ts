import { quoteLiteral } from "@/lib/engine/sql/identifier";
import type { Workbench } from "./workbench";

/** By measurement: groups of 60 vectors prune and compress well; V2 pages and zstd read faster than the defaults. */
const ROWS_PER_GROUP = 122_880;

interface CopyOptions {
  codec?: "zstd" | "snappy";
  rowsPerGroup?: number;
  /** Further options of DuckDB's COPY. */
  more?: readonly string[];
}

/**
 * Writes rows as a Parquet file that every reader can read. DuckDB's V2 pages store integers as differences, which may
 * take more than the 32 bits that the format allows for 32-bit columns: other readers reject such files or read other
 * values. Such a file is written again with V1 pages, which store integers plainly.
 */
export async function copyParquet(
  bench: Pick<Workbench, "run" | "rows">,
  select: string,
  path: string,
  { codec = "zstd", rowsPerGroup = ROWS_PER_GROUP, more = [] }: CopyOptions = {},
): Promise<void> {
  const options = [`COMPRESSION ${codec}`, `ROW_GROUP_SIZE ${rowsPerGroup}`, ...more].join(", ");
  const copy = (version: "V1" | "V2") =>
    bench.run(`COPY (${select}) TO ${quoteLiteral(path)} (FORMAT parquet, PARQUET_VERSION ${version}, ${options})`);
  await copy("V2");
  if (await hasWideDifferences(bench, path)) await copy("V1");
}

/** Whether differences in a 32-bit column may exceed 32 bits, judged by its extreme values in each row group. */
async function hasWideDifferences(bench: Pick<Workbench, "rows">, path: string): Promise<boolean> {
  const [least, most] = ["min", "max"].map((end) => `stats_${end}_value`);
  const number = (text: string | undefined) => `TRY_CAST(${text} AS HUGEINT)`;
  const [found] = await bench.rows(
    `SELECT CAST(count(*) AS VARCHAR) FROM parquet_metadata(${quoteLiteral(path)})
     WHERE type = 'INT32' AND encodings LIKE '%DELTA_BINARY_PACKED%' AND (${number(most)} > 2147483647
       OR ${number(most)} - ${number(least)} > 2147483647 OR ${most} = 'infinity' OR ${least} = '-infinity')`,
  );
  return found?.[0] !== "0";
}
