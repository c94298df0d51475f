-- AlterTable
ALTER TABLE "Dataset" ADD COLUMN     "rows" BIGINT NOT NULL DEFAULT 0;

UPDATE "Dataset" d SET "rows" = COALESCE((SELECT sum(v.rows) FROM "Table" t JOIN "Version" v ON v.id = t."currentVersionId" WHERE t."datasetId" = d.id), 0);
