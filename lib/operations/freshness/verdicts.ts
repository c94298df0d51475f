import { isTold } from "@/lib/describe/lineage";
import type { Evidence, TableVerdict } from "@/lib/freshness/evidence";
import { tableVerdict } from "@/lib/freshness/verdict";
import { publicTables } from "@/lib/operations/reading/read-lineage";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import { readingsOf, type StoredRelease, storedEvidence } from "@/lib/store/releases/evidence";
import type { UpstreamTable } from "@/lib/store/sources/source-tables";
import { localSources } from "./local-sources";
import { RecordedEvidence } from "./recorded-evidence";

const UPSTREAMS_MAX = 5;

/** Who asks: members of a dataset's workspace see every source, readers those that the recipe lists. */
export type Sees = "all" | "listed";

/** Whether a table is current, and how its current release continues the one before. */
export interface TableFreshness {
  verdict: TableVerdict;
  /** The interval at which its sources are read while an update is expected. */
  readingIntervalMs: number;
  /** Of the current release; null if there is none. */
  release: StoredRelease | null;
}

/** Whether the tables of a dataset are current, by id, and the dataset as a whole. */
export class DatasetFreshness {
  constructor(
    readonly verdict: TableVerdict,
    private readonly tables: ReadonlyMap<string, TableFreshness>,
    private readonly unreleased: (slug: string) => TableVerdict = () => verdictWith(0),
  ) {}

  /** A table without a current release has nothing that could be current; keyed by its slug, what is watched for it. */
  ofTable(tableId: string, slug?: string): TableFreshness {
    const verdict = () => (slug === undefined ? verdictWith(0) : this.unreleased(slug));
    return this.tables.get(tableId) ?? { verdict: verdict(), release: null, readingIntervalMs: 0 };
  }

  /** Its tables that have a current release. */
  all(): (TableFreshness & { release: StoredRelease })[] {
    return [...this.tables.values()].flatMap((table) => (table.release ? [{ ...table, release: table.release }] : []));
  }
}

/** Files that a publisher prepared have no source that is read. */
class PreparedFreshness extends DatasetFreshness {
  override ofTable(): TableFreshness {
    return { verdict: this.verdict, release: null, readingIntervalMs: 0 };
  }
}

/**
 * Whether datasets are current at an instant, based on readings and releases; keyed by dataset id. State stored under
 * the generation `under` comes from memory, except for the readings and the verdict.
 */
export async function freshnessOf(
  datasetIds: readonly string[],
  now: Date,
  sees: Sees = "listed",
  { depth = 0, under }: { depth?: number; under?: string | undefined } = {},
): Promise<(datasetId: string) => DatasetFreshness> {
  const stored = datasetIds.length > 0 ? await storedEvidence(datasetIds, under) : [];
  const readings = stored.length > 0 ? await readingsOf(stored.map(({ datasetId }) => datasetId)) : [];
  const byDataset = Map.groupBy(readings, ({ datasetId }) => datasetId);
  const known = new Map<string, DatasetFreshness>();
  // tables are made from tables; a longer chain is not followed
  const verdictOn = async (tableId: string, datasetId: string) =>
    depth < UPSTREAMS_MAX
      ? (await freshnessOf([datasetId], now, "all", { depth: depth + 1, under }))(datasetId).ofTable(tableId).verdict
      : undefined;
  for (const one of stored) {
    const tables = sees === "all" ? undefined : await publicTables(one.document, under);
    const isVisible = (source: RecipeSource) => tables === undefined || isTold(source, tables);
    const own = byDataset.get(one.datasetId) ?? [];
    const upstream = ({ datasetId, tableId }: UpstreamTable) => verdictOn(tableId, datasetId);
    const local = await localSources(one, own, { now, under, verdictOn: upstream });
    const recorded = new RecordedEvidence(one, own, isVisible, local);
    const verdicts = one.tables.map((release): [string, TableFreshness] => {
      const evidence = recorded.ofTable(release);
      const { readingIntervalMs } = evidence;
      return [release.tableId, { verdict: tableVerdict(evidence, now.getTime()), release, readingIntervalMs }];
    });
    const unreleased = (slug: string) => tableVerdict(recorded.ofUnreleased(slug), now.getTime());
    const verdict = tableVerdict(recorded.ofDataset(), now.getTime());
    known.set(one.datasetId, new DatasetFreshness(verdict, new Map(verdicts), unreleased));
  }
  return (datasetId) => known.get(datasetId) ?? new PreparedFreshness(verdictWith(1), new Map());
}

/** Only the number of releases is known. */
function verdictWith(releases: 0 | 1): TableVerdict {
  const evidence: Evidence = {
    sources: [],
    releases: releases === 1 ? [{ sealedAt: 0, dataThrough: null }] : [],
    failedRefreshAfter: false,
    schedule: null,
    readingIntervalMs: 0,
  };
  return tableVerdict(evidence, 0);
}
