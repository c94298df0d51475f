import type { Query } from "./client";
import { type Probe, probesOf, READ_CASES, sourceOf } from "./queries";
import type { RawDuckDb } from "./raw";
import type { Tables } from "./tables";

/** Percentage of each kind of read: mostly points and ranges, some pages, few groups. */
const WEIGHTS: readonly [table: "flights" | "b10", name: string, weight: number][] = [
  ["b10", "one row by the sorted id", 24],
  ["b10", "range of an hour", 20],
  ["flights", "rows of a minute, by the sorted time", 20],
  ["flights", "range of an hour", 14],
  ["flights", "one route, by two unsorted texts", 8],
  ["flights", "one airport's top 100 by delay", 6],
  ["flights", "group by airport, 3 aggregates", 4],
  ["b10", "one row by a random number", 2],
  ["b10", "10,000 rows as they come", 1],
  ["b10", "group by 10 values, 3 aggregates", 1],
];

/** A read of the mix: as a query to the service, and as SQL on the same Parquet file. */
interface MixedRead {
  query: Query;
  sql: string;
}

/** Creates the mix's reads by number, in a shuffled order that is the same on every run. */
export async function mixOf(raw: RawDuckDb, tables: Tables): Promise<(number: number) => MixedRead> {
  const probes = await probesOf(raw, tables);
  const deck = WEIGHTS.flatMap(([table, name, weight]) => {
    const read = READ_CASES.find((known) => known.table === table && known.name === name);
    if (!read) throw new Error(`Unknown read: ${name}`);
    return Array.from({ length: weight }, () => read);
  });
  return (number) => {
    const read = deck[(number * 37) % deck.length];
    if (!read) throw new Error("The deck is empty");
    const among = probes[read.table];
    const probe = among[number % among.length] as Probe;
    const table = tables[read.table];
    return { query: { tableId: table.tableId, body: read.body(probe) }, sql: read.sql(probe, sourceOf(table)) };
  };
}
