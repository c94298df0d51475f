import type { Bench } from "../bench";
import { failures, load } from "../load";
import { mixOf } from "../mix";
import { line, type Outcome } from "../report";

const STEPS = [100, 1_000, 4_000, 7_000, 10_000] as const;

/** The service's resident memory over a growing number of mixed queries. */
export async function measureMemory({ client, service, raw, tables }: Bench): Promise<Outcome> {
  const mix = await mixOf(raw, tables);
  const seen: { queries: number; mb: number }[] = [];
  for (const queries of STEPS) {
    const before = seen.at(-1)?.queries ?? 0;
    const made = await load((number) => client.query(mix(before + number).query), 4, {
      seconds: 600,
      most: queries - before,
    });
    if (failures(made) > 0) throw new Error("Queries failed");
    seen.push({ queries, mb: service.memoryMb() });
  }
  const [first, last] = [seen[0], seen.at(-1)];
  return {
    lines: [
      line("resident memory after 10,000 mixed queries / after 100", (last?.mb ?? 0) / (first?.mb ?? 1), { most: 1.2 }),
    ],
    figures: {
      head: ["queries", "MiB resident"],
      rows: seen.map(({ queries, mb }) => [queries.toLocaleString("en"), mb.toFixed(0)]),
    },
  };
}
