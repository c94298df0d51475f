/** The URL at which the build serves the file. */
declare module "*.wasm" {
  const url: string;
  // biome-ignore lint/style/noDefaultExport: bundlers give files so.
  export default url;
}

/** DuckDB for a worker: a file of the package that its list of exports lacks. */
declare module "@duckdb/duckdb-wasm/browser-blocking" {
  export { createDuckDB, VoidLogger } from "@duckdb/duckdb-wasm/blocking";
  export const BROWSER_RUNTIME: import("@duckdb/duckdb-wasm/blocking").DuckDBRuntime;
}
