import { slugOf } from "@/lib/builds/document/read-recipe";
import { storedRecipe } from "@/lib/builds/document/stored-recipe";
import { sourcesOfTable } from "@/lib/builds/table-sources";
import type { Evidence, Observation, SourceEvidence, Upstream } from "@/lib/freshness/evidence";
import { nextRead, nextReadMs, readingIntervalMs } from "@/lib/freshness/reading-plan";
import { anchored } from "@/lib/freshness/schedule";
import { expectedWindow } from "@/lib/freshness/verdict";
import type { Recipe } from "@/lib/schemas/recipe";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import type { StoredEvidence, StoredReading, StoredRelease } from "@/lib/store/releases/evidence";

/** Schedules whose runs keep failing read once a day. */
const SLOWED_MS = 86_400_000;

/** What the service itself knows about a source that is not read. */
export type LocalSource = { kind: "table"; upstream: Upstream } | { kind: "upload"; unchangedAt: number };
/** Keyed by source name. */
export type LocalSources = ReadonlyMap<string, LocalSource>;

/** What is recorded about one dataset, as the evidence for verdicts. */
export class RecordedEvidence {
  readonly #recipe: Recipe;
  readonly #schedule: Evidence["schedule"];

  constructor(
    private readonly stored: StoredEvidence,
    private readonly readings: readonly StoredReading[],
    private readonly isVisible: (source: RecipeSource) => boolean,
    private readonly local: LocalSources = new Map(),
  ) {
    this.#recipe = storedRecipe(stored.document).recipe;
    const { refresh } = this.#recipe;
    const approved = stored.firstApprovedAt?.getTime();
    this.#schedule = refresh && approved !== undefined ? anchored(refresh, approved) : null;
  }

  /** For the dataset as a whole: all sources of its tables, and its newest release. */
  ofDataset(): Evidence {
    const { tables } = this.stored;
    const names = new Set(tables.flatMap((table) => this.#sourcesOf(table).map(({ name }) => name)));
    const all = this.#recipe.sources.filter(({ name }) => names.has(name)).map((source) => this.#source(source));
    return this.#evidence(all, tables);
  }

  /** When its sources are to be read next; null without a schedule. `lateMs`: how much later than planned it reads. */
  nextRead(now: number, lateMs: number): number | null {
    if (!this.#schedule) return null;
    return nextRead(this.#schedule, expectedWindow(this.ofDataset()), now - lateMs) + lateMs;
  }

  ofTable(table: StoredRelease): Evidence {
    return this.#evidence(this.#sourcesOf(table), [table]);
  }

  /** For a table without a current release: what is watched for it. */
  ofUnreleased(slug: string): Evidence {
    return this.#evidence(this.#sourcesOf({ slug }), []);
  }

  /** A table that the recipe no longer makes has sources that are no longer read. */
  #sourcesOf({ slug }: Pick<StoredRelease, "slug">): SourceEvidence[] {
    const table = this.#recipe.tables.find((each) => slugOf(each) === slug);
    if (!table) return this.#recipe.sources.map((source) => this.#source({ ...source, status: "retired" }));
    const names = new Set(sourcesOfTable(this.#recipe, table.name));
    return this.#recipe.sources.filter(({ name }) => names.has(name)).map((source) => this.#source(source));
  }

  #source(source: RecipeSource): SourceEvidence {
    const { name, status } = source;
    const own = this.readings.filter((reading) => reading.source === name);
    const observations = own.map(observed);
    const local = this.local.get(name);
    if (local?.kind === "table")
      return { name, listed: this.isVisible(source), status, observations: [], upstream: local.upstream };
    if (local?.kind === "upload") observations.push({ at: local.unchangedAt, ok: true, changed: false, isKnown: true });
    return {
      name,
      listed: this.isVisible(source),
      status,
      observations: status === "active" ? observations : since(observations, this.stored.approvedAt),
    };
  }

  #evidence(sources: readonly SourceEvidence[], releases: readonly StoredRelease[]): Evidence {
    const sealed = releases.map(({ sealedAt, dataThrough }) => ({ sealedAt: Date.parse(sealedAt), dataThrough }));
    const newest = Math.max(...sealed.map(({ sealedAt }) => sealedAt));
    const { lastRefresh } = this.stored;
    const evidence = {
      sources,
      releases: sealed,
      failedRefreshAfter: sealed.length > 0 && lastRefresh?.failed === true && Date.parse(lastRefresh.at) > newest,
      schedule: this.#schedule,
      readingIntervalMs: readingIntervalMs(this.#schedule),
    };
    const read = sources.flatMap(({ observations }) => observations.map(({ at }) => at));
    const newestRead = read.reduce((most, at) => Math.max(most, at), 0);
    const planned = nextReadMs(this.#schedule, expectedWindow(evidence), newestRead);
    return { ...evidence, nextReadMs: this.stored.isSlowed ? Math.max(planned, SLOWED_MS) : planned };
  }
}

const observed = ({ at, ok, changed, replayed }: StoredReading): Observation => ({
  ...{ at: at.getTime(), ok, changed },
  ...(replayed !== null && { replayed }),
});

/** For a source that was declared finished: what has been read since, and its state at that time. */
function since(observations: readonly Observation[], approvedAt: Date | null): Observation[] {
  const from = approvedAt?.getTime() ?? 0;
  const before = observations.findLast(({ at, ok }) => ok && at < from);
  const after = observations.filter(({ at }) => at >= from);
  return before ? [{ ...before, changed: null }, ...after] : after;
}
