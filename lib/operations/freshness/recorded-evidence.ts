import { readRecipe, slugOf } from "@/lib/builds/document/read-recipe";
import { sourcesOfTable } from "@/lib/builds/table-sources";
import type { Evidence, Observation, SourceEvidence } from "@/lib/freshness/evidence";
import { nextRead, nextReadMs, readingIntervalMs } from "@/lib/freshness/reading-plan";
import { anchored } from "@/lib/freshness/schedule";
import { expectedWindow } from "@/lib/freshness/verdict";
import type { Recipe } from "@/lib/schemas/recipe";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import type { StoredEvidence, StoredReading, StoredRelease } from "@/lib/store/builds/evidence";

/** What is recorded of one dataset, as verdicts are drawn from it. */
export class RecordedEvidence {
  readonly #recipe: Recipe;
  readonly #schedule: Evidence["schedule"];

  constructor(
    private readonly stored: StoredEvidence,
    private readonly readings: readonly StoredReading[],
    private readonly isTold: (source: RecipeSource) => boolean,
  ) {
    this.#recipe = readRecipe(stored.document).recipe;
    const { refresh } = this.#recipe;
    const approved = stored.firstApprovedAt?.getTime();
    this.#schedule = refresh && approved !== undefined ? anchored(refresh, approved) : null;
  }

  /** Of the dataset as a whole: all sources of its tables, and its newest release. */
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

  /** A table that the recipe makes no longer has sources that nobody reads any more. */
  #sourcesOf({ slug }: StoredRelease): SourceEvidence[] {
    const table = this.#recipe.tables.find((each) => slugOf(each) === slug);
    if (!table) return this.#recipe.sources.map((source) => this.#source({ ...source, status: "retired" }));
    const names = new Set(sourcesOfTable(this.#recipe, table.name));
    return this.#recipe.sources.filter(({ name }) => names.has(name)).map((source) => this.#source(source));
  }

  #source(source: RecipeSource): SourceEvidence {
    const { name, status } = source;
    const own = this.readings.filter((reading) => reading.source === name);
    const observations = own.map(({ at, ok, changed }) => ({ at: at.getTime(), ok, changed }));
    return {
      name,
      listed: this.isTold(source),
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
      failedRefreshAfter: lastRefresh?.failed === true && Date.parse(lastRefresh.at) > newest,
      schedule: this.#schedule,
      readingIntervalMs: readingIntervalMs(this.#schedule),
    };
    const read = sources.flatMap(({ observations }) => observations.map(({ at }) => at));
    const newestRead = read.reduce((most, at) => Math.max(most, at), 0);
    return { ...evidence, nextReadMs: nextReadMs(this.#schedule, expectedWindow(evidence), newestRead) };
  }
}

/** Of a source that was declared finished: what was read since, and what it was like then. */
function since(observations: readonly Observation[], approvedAt: Date | null): Observation[] {
  const from = approvedAt?.getTime() ?? 0;
  const before = observations.findLast(({ at, ok }) => ok && at < from);
  const after = observations.filter(({ at }) => at >= from);
  return before ? [{ ...before, changed: null }, ...after] : after;
}
