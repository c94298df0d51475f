import { columnTypeOf } from "@/lib/engine/types/column-types";
import type { StoredColumn } from "@/lib/schemas/column";
import { indexedWords } from "@/lib/schemas/search-words";
import { database } from "@/lib/store/postgres/database";
import type { Prisma, SearchPart } from "@/prisma/generated/client";

/** A tsvector holds at most 1 MB. */
const TEXT_MAX = 200_000;
/** Columns with more values than this contain names or texts, not categories. */
const DISTINCT_MAX = 200;
const VALUE_MIN = 3;
/** Shorter words, and those made only of digits, are never treated as misspellings. */
const LEARNT = /^(?=.*\p{L}).{3,}$/u;

const READ = {
  publisher: true,
  tables: { include: { currentVersion: { select: { columns: true, profiles: true } } } },
} satisfies Prisma.DatasetInclude;

/** Rewrites a dataset's search texts, within the transaction that publishes. */
export async function refreshSearchText(transaction: Prisma.TransactionClient, datasetId: string): Promise<void> {
  const texts = Object.entries(
    textsOf(await transaction.dataset.findUniqueOrThrow({ where: { id: datasetId }, include: READ })),
  );
  const indexed = texts
    .map(([part, text]) => ({ part, words: indexedWords(text.slice(0, TEXT_MAX)) }))
    .filter(({ words }) => words.length > 0);
  await transaction.$executeRaw`DELETE FROM "SearchText" WHERE "datasetId" = ${datasetId}::uuid`;
  // unstemmed too, so that a word is found while it is being typed: "flyi" begins "flying", whose stem is "fli"
  await transaction.$executeRaw`
    INSERT INTO "SearchText" ("datasetId", part, words)
    SELECT ${datasetId}::uuid, part::"SearchPart", to_tsvector('english', text) || to_tsvector('simple', text)
    FROM unnest(${indexed.map(({ part }) => part)}::text[], ${indexed.map((row) => row.words.join(" "))}::text[]) AS
      p(part, text)`;
  const learnt = [...new Set(indexed.flatMap((row) => row.words))].filter((word) => LEARNT.test(word));
  // in a fixed order, so that two publishers cannot deadlock
  await transaction.$executeRaw`
    INSERT INTO "SearchWord" (word, stem)
    SELECT word, stem FROM (SELECT word, (ts_lexize('english_stem', word))[1] AS stem FROM unnest(${learnt}::text[])
      AS word) w
    WHERE stem IS NOT NULL ORDER BY word COLLATE "C" ON CONFLICT DO NOTHING`;
}

function textsOf(dataset: Prisma.DatasetGetPayload<{ include: typeof READ }>): Record<SearchPart, string> {
  const { title, slug, summary, description, publisher, topics, license, tables } = dataset;
  const columns = tables.flatMap((table) => (table.currentVersion?.columns ?? []) as unknown as StoredColumn[]);
  const lines = (parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join("\n");
  return {
    title,
    slug,
    summary,
    description,
    publisher: publisher?.name ?? "",
    topics: topics.join("\n"),
    tables: lines(tables.flatMap((table) => [table.slug, table.name, table.description])),
    columns: lines(columns.flatMap(({ name, description: meaning, unit }) => [name, meaning, unit])),
    license: lines([license, ...tables.map((table) => table.license)]),
    values: lines(tables.flatMap(({ currentVersion }) => (currentVersion ? frequentValues(currentVersion) : []))),
  };
}

interface Profiled {
  distinct_count?: { value: number };
  top_values?: { value: unknown }[];
}

/** Values of text columns with few of them: the names of states, species or kinds. Two-letter codes are left out. */
function frequentValues({ columns, profiles }: { columns: unknown; profiles: unknown }): string[] {
  const known = profiles as Readonly<Record<string, Profiled>>;
  return (columns as readonly StoredColumn[]).flatMap(({ name, type }) => {
    const { distinct_count: distinct, top_values: top = [] } = known[name] ?? {};
    if (columnTypeOf({ type }).family !== "text" || (distinct?.value ?? DISTINCT_MAX) >= DISTINCT_MAX) return [];
    return top.flatMap(({ value }) => (typeof value === "string" && value.length >= VALUE_MIN ? [value] : []));
  });
}

/** Builds the search texts of datasets that have none, such as after an upgrade that changes them. */
export async function fillSearchTexts(): Promise<void> {
  const { prisma } = await database();
  const without = await prisma.dataset.findMany({
    where: { publishedAt: { not: null }, searchTexts: { none: {} } },
    select: { id: true },
  });
  for (const { id } of without)
    await prisma.$transaction((transaction) => refreshSearchText(transaction, id), { timeout: 60_000 });
}
