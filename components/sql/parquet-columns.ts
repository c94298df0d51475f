import { ParquetFile } from "parquet-wasm/esm";

/** Rows that are decoded at once. */
const BATCH_ROWS = 65_536;

/** Some columns of a Parquet file as an Arrow stream; no others are decoded. */
export async function parquetColumns(file: Blob, columns: readonly string[]): Promise<Uint8Array> {
  const opened = await ParquetFile.fromFile(file);
  try {
    return (await opened.read({ columns: [...columns], batchSize: BATCH_ROWS })).intoIPCStream();
  } finally {
    opened.free();
  }
}
