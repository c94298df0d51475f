import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { forEachAlone } from "@/lib/kernel/each-alone";
import type { StoredColumn } from "@/lib/schemas/column";
import { blobStore } from "@/lib/storage/blob-store";
import {
  type ColumnValues,
  listUnreadTables,
  storeTableValues,
  type UnreadTable,
} from "@/lib/store/catalogue/table-values";
import { type Workbench, withWorkbench } from "./workbench";

/** Columns with more distinct values, or longer ones on average, hold texts or ids of measurements, not names or codes. */
const DISTINCT_MAX = 50_000;
const MEAN_LENGTH_MAX = 50;
/** Characters of a value. Shorter ones are found everywhere, longer ones are texts. */
const LENGTH = { min: 3, max: 100 } as const;
const TABLES_EACH_ROUND = 20;

/**
 * Reads the values of tables that searches do not find them by yet: after an upgrade, or where another version has
 * become current.
 */
export async function readMissingValues(): Promise<void> {
  await forEachAlone(await listUnreadTables(TABLES_EACH_ROUND), readValues);
}

/**
 * The same for one table or dataset, by its id, that was just published. It is complete without them: the workers'
 * upkeep repeats what fails here, and reports it.
 */
export async function readValuesOf(id: string): Promise<void> {
  const unread = async () => forEachAlone(await listUnreadTables(TABLES_EACH_ROUND, id), readValues);
  await unread().catch(() => undefined);
}

async function readValues(table: UnreadTable): Promise<void> {
  const columns = searchedColumns(table);
  const values =
    columns.length === 0
      ? []
      : await blobStore().withLocalPath(table.digest, (path) =>
          withWorkbench((bench) => valuesOf(bench, path, columns)),
        );
  await storeTableValues(table, values);
}

interface SearchedColumn {
  name: string;
  isList: boolean;
}

/** Text columns with few enough distinct values, and lists of texts. */
function searchedColumns({ columns, profiles }: UnreadTable): SearchedColumn[] {
  const known = profiles as Readonly<Record<string, { distinct_count?: { value: number } }>>;
  return (columns as readonly StoredColumn[]).flatMap(({ name, type }) => {
    const { family, item } = columnTypeOf({ type });
    const isList = item?.family === "text";
    const isFew = (known[name]?.distinct_count?.value ?? 0) <= DISTINCT_MAX;
    return isList || (family === "text" && isFew) ? [{ name, isList }] : [];
  });
}

/** The distinct values of each column in alphabetical order, the columns with the fewest first. */
async function valuesOf(bench: Workbench, path: string, columns: readonly SearchedColumn[]): Promise<ColumnValues[]> {
  const file = quoteLiteral(path);
  const found: ColumnValues[] = [];
  for (const { name, isList } of columns) {
    const cell = quoteIdentifier(name);
    const rows = await bench.rows(
      `SELECT DISTINCT v FROM (SELECT ${isList ? `unnest(${cell})` : cell} AS v FROM read_parquet(${file}))
       WHERE length(v) BETWEEN ${LENGTH.min} AND ${LENGTH.max} AND NOT contains(v, chr(0)) AND NOT contains(v, '://')
       ORDER BY v LIMIT ${DISTINCT_MAX + 1}`,
    );
    const values = rows.flatMap(([value]) => value ?? []);
    const characters = values.reduce((sum, value) => sum + value.length, 0);
    if (values.length <= DISTINCT_MAX && characters <= values.length * MEAN_LENGTH_MAX)
      found.push({ column: name, values });
  }
  return found.sort((a, b) => a.values.length - b.values.length);
}
