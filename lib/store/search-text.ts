import type { Prisma } from "@/prisma/generated/client";

/** Rewrites what the catalogue search reads of a dataset; part of the transaction that publishes. */
export async function refreshSearchText(transaction: Prisma.TransactionClient, datasetId: string): Promise<void> {
  await transaction.$executeRaw`DELETE FROM "SearchText" WHERE "datasetId" = ${datasetId}::uuid`;
  await transaction.$executeRaw`
    WITH spoken AS ( -- camelCase and snake_case names are searched by their words too
      SELECT d.*, p.name AS publisher,
        (SELECT string_agg(concat_ws(' ', t.slug, t.name, t.description), ' ') FROM "Table" t WHERE t."datasetId" = d.id) AS tables,
        (SELECT string_agg(concat_ws(' ', c->>'name', regexp_replace(regexp_replace(c->>'name', '([a-z])([A-Z])', '\\1 \\2', 'g'), '[^[:alnum:]]+', ' ', 'g'), c->>'description', c->>'unit'), ' ')
           FROM "Table" t JOIN "Version" v ON v.id = t."currentVersionId" CROSS JOIN jsonb_array_elements(v.columns) AS c WHERE t."datasetId" = d.id) AS columns
      FROM "Dataset" d JOIN "Publisher" p ON p.id = d."publisherId" WHERE d.id = ${datasetId}::uuid
    ), parts AS (
      SELECT id, part, text FROM spoken CROSS JOIN LATERAL (VALUES
        ('title', title), ('slug', replace(slug, '-', ' ')), ('summary', summary), ('description', description), ('publisher', publisher),
        ('topics', array_to_string(topics, ' ')), ('tables', tables), ('columns', columns)) AS p(part, text)
    )
    INSERT INTO "SearchText" ("datasetId", part, text, words)
    SELECT id, part::"SearchPart", left(text, 200000), to_tsvector('english', left(text, 200000)) FROM parts WHERE text <> ''`;
}
