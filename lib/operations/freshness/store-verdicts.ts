import type { TableVerdict } from "@/lib/freshness/evidence";
import { forEachAlone } from "@/lib/kernel/each-alone";
import type { StoredRelease } from "@/lib/store/releases/evidence";
import {
  findVerdict,
  type StoredTableVerdict,
  storeVerdict,
  unsettledDatasets,
  type VerdictNews,
} from "@/lib/store/releases/verdicts";
import { type DatasetFreshness, freshnessOf } from "./verdicts";

const HOUR_MS = 3_600_000;
/** A verdict is announced once it has held for a reading interval, but at the latest after this time. */
const ANNOUNCE_MAX_MS = 24 * HOUR_MS;

/** Stores verdicts that may have changed, and announces tables that went stale or recovered. */
export async function storeVerdicts(now: Date): Promise<void> {
  const ids = await unsettledDatasets(now);
  if (ids.length === 0) return;
  const freshness = await freshnessOf(ids, now);
  await forEachAlone(ids, (id) => storeOne(id, freshness(id), now));
}

async function storeOne(datasetId: string, freshness: DatasetFreshness, now: Date): Promise<void> {
  const before = await findVerdict(datasetId);
  const { verdict } = freshness;
  const tableVerdicts = freshness
    .all()
    .map((each) => verdictOf(each, before?.tables[each.release.tableId], now.getTime()));
  const checks = [verdict, ...freshness.all().map((each) => each.verdict)].flatMap(({ window }) => [
    window?.earliest ?? 0,
    (window?.latest ?? 0) + 1,
  ]);
  const soon = Math.min(now.getTime() + HOUR_MS, ...checks.filter((at) => at > now.getTime()));
  await storeVerdict(
    {
      datasetId,
      state: verdict.state,
      reason: verdict.reason,
      since: before?.state === verdict.state ? before.since : now,
      tables: Object.fromEntries(tableVerdicts.map(({ tableId, tableVerdict }) => [tableId, tableVerdict])),
      computedAt: now,
      checkAt: new Date(soon),
    },
    before,
    tableVerdicts.flatMap(({ news }) => news ?? []),
  );
}

interface Judged {
  verdict: TableVerdict;
  release: StoredRelease;
  readingIntervalMs: number;
}

/** States in which a table that was stale has recovered. */
const WELL: ReadonlySet<string> = new Set(["fresh", "awaiting_update", "learning", "dormant"]);

function verdictOf(
  { verdict, release, readingIntervalMs }: Judged,
  before: StoredTableVerdict | undefined,
  now: number,
) {
  const { state, reason, window } = verdict;
  const since = before?.state === state ? before.since : now;
  const wasStale = before?.isStale ?? false;
  const hasLasted = now - since >= Math.min(readingIntervalMs, ANNOUNCE_MAX_MS);
  const isStale = state === "stale" ? wasStale || hasLasted : wasStale && !WELL.has(state);
  const kind = isStale ? ("went_stale" as const) : ("recovered" as const);
  const latest = window ? new Date(window.latest).toISOString() : null;
  const news: VerdictNews | undefined =
    isStale === wasStale
      ? undefined
      : {
          kind,
          table: { id: release.tableId, slug: release.slug },
          freshness: { state, reason_code: reason, expected_next_latest: latest },
        };
  return { tableId: release.tableId, tableVerdict: { state, since, isStale }, news };
}
