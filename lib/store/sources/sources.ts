import { type Author, audited } from "@/lib/store/audit";
import { lookUp } from "@/lib/store/postgres/database";

export interface StoredSource {
  name: string;
  title: string | null;
  description: string;
  url: string | null;
  format: string | null;
  mediaType: string | null;
  bytes: number | null;
  columns: string[];
  license: string | null;
  licenseUrl: string | null;
  origins: { name: string; url: string | null }[];
}

export interface NewHarvest {
  provider: string;
  homepage: string | null;
  documentVersion: string | null;
  documentDigest: string;
  harvestedAt: Date;
  listed: number;
  sources: readonly StoredSource[];
}

export interface HarvestFacts extends Omit<NewHarvest, "sources"> {
  id: string;
  taken: number;
  withColumns: number;
  withLicense: number;
}

const INSERT = `INSERT INTO "Source" ("sweepId", "position", "name", "title", "description", "url", "format",
  "mediaType", "bytes", "columns", "license", "licenseUrl", "origins", "words")
  SELECT $1::uuid, s.position, s.name, s.title, s.description, s.url, s.format, s."mediaType", s.bytes, s.columns,
    s.license, s."licenseUrl", s.origins,
    setweight(to_tsvector('english', regexp_replace(concat_ws(' ', s.name, s.title), '[_./-]+', ' ', 'g')), 'A') ||
    setweight(to_tsvector('english', regexp_replace(array_to_string(s.columns, ' '), '[_./-]+', ' ', 'g')), 'B') ||
      setweight(to_tsvector('english', s.description), 'C')
  FROM jsonb_to_recordset($2::jsonb) AS s(position int, name text, title text, description text, url text, format
    text, "mediaType" text, bytes bigint, columns text[], license text, "licenseUrl" text, origins jsonb)`;

/** Some portals list hundreds of thousands of sources. */
const HARVEST_MS = 600_000;

/** Replaces the previous harvest: there is one provider at a time. */
export async function replaceHarvest({ sources, ...harvest }: NewHarvest, author: Author): Promise<void> {
  await audited(
    author,
    async (transaction, audit) => {
      await transaction.sourceHarvest.deleteMany();
      const { id } = await transaction.sourceHarvest.create({ data: harvest, select: { id: true } });
      const rows = sources.map((source, position) => ({ position, ...source }));
      await transaction.$executeRawUnsafe(INSERT, id, JSON.stringify(rows));
      audit({
        action: "sources.swept",
        subject: harvest.provider,
        details: { sources: sources.length, listed: harvest.listed, document: `sha256:${harvest.documentDigest}` },
      });
    },
    { timeoutMs: HARVEST_MS },
  );
}

const HARVEST = `SELECT w.id, w.provider, w.homepage, w."documentVersion", w."documentDigest",
  w."sweptAt" AS "harvestedAt", w.listed, count(s.*)::int AS taken,
    count(*) FILTER (WHERE cardinality(s.columns) > 0)::int AS "withColumns", count(s.license)::int AS "withLicense"
  FROM "SourceSweep" w LEFT JOIN "Source" s ON s."sweepId" = w.id GROUP BY w.id ORDER BY w."sweptAt" DESC LIMIT 1`;

/** The current harvest; undefined if there is none. */
export async function findHarvest(): Promise<HarvestFacts | undefined> {
  const [harvest] = await lookUp<HarvestFacts>("find-harvest", HARVEST, []);
  return harvest;
}

export interface SourceSearch {
  harvestId: string;
  /** Lower-case letters and digits only. */
  words: readonly string[];
  format: string | undefined;
  license: "stated" | "unknown" | undefined;
  limit: number;
}

const FIND = `SELECT s.name, s.title, s.description, s.url, s.format, s."mediaType", s.bytes::float8 AS bytes,
  s.columns, s.license, s."licenseUrl", s.origins, count(*) OVER ()::int AS total
  FROM "Source" s WHERE s."sweepId" = $5::uuid AND ($1::tsquery IS NULL OR s.words @@ $1::tsquery) AND ($2::text IS
    NULL OR lower(s.format) = $2) AND ($3::boolean IS NULL OR (s.license IS NOT NULL) = $3)
  ORDER BY ts_rank(s.words, COALESCE($1::tsquery, ''::tsquery)) DESC, s.position LIMIT $4`;

/** Sources with every word or prefix; if none has them all, those with any. Best first. */
export async function findSources(search: SourceSearch): Promise<{ total: number; sources: StoredSource[] }> {
  const every = await searchSources(search, " & ");
  return every.total > 0 || search.words.length < 2 ? every : searchSources(search, " | ");
}

async function searchSources(
  { harvestId, words, format, license, limit }: SourceSearch,
  joint: string,
): Promise<{ total: number; sources: StoredSource[] }> {
  const query =
    words.length === 0
      ? null
      : (await lookUp<{ q: string }>("source-words", QUERY, [words.map((word) => `${word}:*`).join(joint)]))[0]?.q;
  if (query === "") return { total: 0, sources: [] };
  const stated = license === undefined ? null : license === "stated";
  const rows = await lookUp<StoredSource & { total: number }>("find-sources", FIND, [
    query,
    format?.toLowerCase() ?? null,
    stated,
    limit,
    harvestId,
  ]);
  return { total: rows[0]?.total ?? 0, sources: rows.map(({ total: _total, ...source }) => source) };
}

/** Stemmed, without stop words. */
const QUERY = `SELECT to_tsquery('english', $1)::text AS q`;

const LICENCES = `SELECT DISTINCT ON (s.url) s.url, s.license, w.provider FROM "Source" s
  JOIN "SourceSweep" w ON w.id = s."sweepId"
  WHERE s.url = ANY($1) AND s.license IS NOT NULL ORDER BY s.url, s.position`;

/** The licences that a provider's last list states for some addresses. */
export const findListedLicences = (
  urls: readonly string[],
): Promise<{ url: string; license: string; provider: string }[]> => lookUp("find-listed-licences", LICENCES, [urls]);
