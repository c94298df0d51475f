/** One cell as DuckDB prints it: null, or text. */
export type Text = string | null;

/** A writable DuckDB with a folder of its own. */
export interface Bench {
  folder: string;
  run(sql: string): Promise<void>;
  /** Rows whose cells the statement has cast to text. */
  rows(sql: string): Promise<Text[][]>;
}

/** The cells of the only row. Throws if there is none. */
export async function onlyRow(bench: Pick<Bench, "rows">, sql: string): Promise<Text[]> {
  const row = (await bench.rows(sql))[0];
  if (!row) throw new Error("The statement returned no row");
  return row;
}
