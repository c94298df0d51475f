import { Cache } from "@/lib/kernel/cache";
import { processWide } from "@/lib/kernel/process-wide";
import { Renewed } from "@/lib/kernel/renewed";
import type { Reader } from "@/lib/store/datasets/readable";
import { database, lookUp } from "@/lib/store/postgres/database";
import { CodedFacet } from "./coded-facet";
import type { MatchedColumns } from "./matched-columns";
import { Postings } from "./postings";
import { SimilarWords } from "./similar-words";
import type { MatchedValue } from "./table-values";

/** The fields of a dataset for searches, facets and orders. Its index is that in the order of titles. */
export interface CatalogueDataset {
  id: string;
  slug: string;
  /** As text, with microseconds. */
  publishedAt: string;
  /** The same in milliseconds. */
  publishedMs: number;
  /** In lower case. */
  sortTitle: string;
  topics: readonly string[];
  license: string;
  publisherSlug: string;
  publisherName: string;
  size: string;
  /** The state as of the last check; null if nothing is read. */
  state: string | null;
  /** When the next check was due, in milliseconds. */
  checkAt: number | null;
}

/** In which columns and values of a dataset a search's words were found. */
export interface MatchDetails {
  columns: MatchedColumns | undefined;
  values: readonly MatchedValue[];
}

const MATCHES_CACHED_MAX = 10_000;

/**
 * All public datasets at one state of the catalogue, or a workspace's private ones, and what searches have learned
 * about them so far.
 */
export class LoadedCatalogue {
  readonly #indexes: ReadonlyMap<string, number>;
  /** Keyed by slug. */
  readonly publisherNames: ReadonlyMap<string, string>;
  readonly postings: Postings;
  readonly similar: SimilarWords;
  readonly facets: Readonly<Record<"topic" | "publisher" | "license" | "size", CodedFacet>>;
  /** Where searches found their words, by dataset and search words. */
  readonly matchDetails = new Cache<MatchDetails>({ capacity: MATCHES_CACHED_MAX });

  /**
   * @param state a string that changes whenever the catalogue does, and every quarter of an hour.
   * @param datasets in the order of titles.
   * @param byPublished indexes, the newest dataset first.
   * @param areFew whether words are looked up among these datasets only.
   */
  constructor(
    readonly state: string,
    readonly datasets: readonly CatalogueDataset[],
    readonly byPublished: Uint32Array,
    areFew = false,
  ) {
    this.#indexes = new Map(datasets.map(({ id }, index) => [hexOf(id), index]));
    const coded = (valuesOf: (dataset: CatalogueDataset) => string | readonly string[]) =>
      new CodedFacet(datasets.length, (index) => valuesOf(datasets[index] as CatalogueDataset));
    this.facets = {
      topic: coded(({ topics }) => topics),
      publisher: coded(({ publisherSlug }) => publisherSlug),
      license: coded(({ license }) => license),
      size: coded(({ size }) => size),
    };
    this.publisherNames = new Map(datasets.map(({ publisherSlug, publisherName }) => [publisherSlug, publisherName]));
    this.postings = new Postings((id) => this.#indexes.get(id), areFew ? datasets.map(({ id }) => id) : undefined);
    this.similar = new SimilarWords(this.postings);
  }

  /** The index of a dataset; undefined if it is not among these. */
  indexOf(id: string): number | undefined {
    return this.#indexes.get(hexOf(id));
  }
}

const hexOf = (uuid: string): string => uuid.replaceAll("-", "");

const SIZE =
  "CASE WHEN d.rows < 1000 THEN 'under-1k' WHEN d.rows < 10000 THEN '1k-10k' WHEN d.rows < 100000 THEN " +
  "'10k-100k' WHEN d.rows < 1000000 THEN '100k-1m' ELSE 'over-1m' END";

/** A condition on a dataset `d`. */
export const IS_PUBLIC = `d.visibility = 'public' AND d."publishedAt" IS NOT NULL`;

/** The same for the private datasets of the workspace $1, of which $2 are within the reader's scope (NULL: all). */
const IS_OWN = `d.visibility = 'private' AND d."publishedAt" IS NOT NULL AND d."workspaceId" = $1::uuid
  AND ($2::uuid[] IS NULL OR d.id = ANY($2::uuid[]))`;

const datasetsWhere = (
  condition: string,
) => `SELECT d.id, d.slug, d."publishedAt"::text, lower(d.title), array_to_json(d.topics)::text,
    d.license, p.slug, p.name, ${SIZE},
    extract(epoch FROM d."publishedAt")::float8 * 1000, s.state, extract(epoch FROM s."checkAt")::float8 * 1000,
    (row_number() OVER (ORDER BY d."publishedAt" DESC, d.id DESC))::int
  FROM "Dataset" d JOIN "Publisher" p ON p.id = d."publisherId" LEFT JOIN "Standing" s ON s."datasetId" = d.id
  WHERE ${condition} ORDER BY lower(d.title), d.id`;

type Row = [
  ...[string, string, string, string, string, string, string, string, string],
  ...[number, string | null, number | null, number],
];

async function load(state: string, ownedBy?: Reader): Promise<LoadedCatalogue> {
  const { pool } = await database();
  const query = ownedBy
    ? { text: datasetsWhere(IS_OWN), values: [ownedBy.workspaceId, ownedBy.datasetIds ?? null] }
    : { text: datasetsWhere(IS_PUBLIC) };
  const { rows } = await pool.query<Row>({ ...query, rowMode: "array" });
  const shared = sharedValues();
  const byPublished = new Uint32Array(rows.length);
  const datasets = rows.map(([id, slug, publishedAt, sortTitle, topics, license, ...rest], index): CatalogueDataset => {
    const [publisherSlug, publisherName, size, publishedMs, state, checkAt, published] = rest;
    byPublished[published - 1] = index;
    return {
      ...{ id, slug, publishedAt, publishedMs, sortTitle, topics: shared.list(topics), license: shared.text(license) },
      ...{ publisherSlug: shared.text(publisherSlug), publisherName: shared.text(publisherName) },
      ...{ size: shared.text(size), state, checkAt },
    };
  });
  return new LoadedCatalogue(state, datasets, byPublished, ownedBy !== undefined);
}

/**
 * The published private datasets that a reader may read; undefined if there are none. Read for one request, and never
 * kept: nobody else may find them.
 */
export async function ownCatalogue(reader: Reader): Promise<LoadedCatalogue | undefined> {
  const own = await load("", reader);
  return own.datasets.length > 0 ? own : undefined;
}

/** Values that many datasets share are held once. */
function sharedValues() {
  const [texts, lists] = [new Map<string, string>(), new Map<string, readonly string[]>()];
  return {
    text: (value: string): string => once(texts, value, () => value),
    list: (json: string): readonly string[] => once(lists, json, () => [...new Set(JSON.parse(json) as string[])]),
  };
}

function once<T>(known: Map<string, T>, key: string, create: () => T): T {
  const value = known.get(key) ?? create();
  known.set(key, value);
  return value;
}

/** Check results are read again after this time, whether or not they changed. */
const CHECKS_CACHED_MS = 15 * 60_000;

const stateAt = (stamp: string, now: Date): string => `${stamp} ${Math.floor(now.getTime() / CHECKS_CACHED_MS)}`;

const renewed = () =>
  processWide("public-catalogue", () => {
    const requested = { now: new Date(0) };
    const renewal = async () => {
      const key = stateAt(await catalogueStamp(), requested.now); // before the state that it stands for
      return { key, make: () => load(key) };
    };
    return { requested, catalogue: new Renewed(renewal) };
  });

/** The public catalogue as of now, or later; read once per state of the catalogue. */
export async function publicCatalogue(now: Date): Promise<LoadedCatalogue> {
  const { requested, catalogue } = renewed();
  requested.now = now;
  return await catalogue.get(stateAt(await catalogueStamp(), now));
}

/**
 * A string that changes in every transaction that changes the catalogue, or whether a dataset is current. Triggers
 * change it, whoever made the change.
 */
export async function catalogueStamp(): Promise<string> {
  const [row] = await lookUp<{ catalogue: string }>("catalogue-stamp", `SELECT catalogue FROM "Generation"`, []);
  if (!row) throw new Error('The table "Generation" has no row');
  return row.catalogue;
}
