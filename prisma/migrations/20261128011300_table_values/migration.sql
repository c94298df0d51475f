-- CreateTable
CREATE TABLE "TableValues" (
    "tableId" UUID NOT NULL,
    "datasetId" UUID NOT NULL,
    "versionId" UUID NOT NULL,
    "columns" TEXT[],
    "texts" TEXT[],
    "words" tsvector NOT NULL,

    CONSTRAINT "TableValues_pkey" PRIMARY KEY ("tableId")
);

-- CreateIndex
CREATE INDEX "TableValues_datasetId_idx" ON "TableValues"("datasetId");

-- CreateIndex
CREATE INDEX "TableValues_words_idx" ON "TableValues" USING GIN ("words");

-- CreateIndex
CREATE INDEX "Dataset_workspaceId_idx" ON "Dataset"("workspaceId");

-- AddForeignKey
ALTER TABLE "TableValues" ADD CONSTRAINT "TableValues_tableId_fkey" FOREIGN KEY ("tableId") REFERENCES "Table"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TableValues" ADD CONSTRAINT "TableValues_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What searches find: everything that is kept in memory of the catalogue depends on it.
SELECT "raises_generation"('TableValues', 'versionId', 'columns', 'texts', 'words');
CREATE CONSTRAINT TRIGGER "TableValues_catalogue" AFTER INSERT OR DELETE OR UPDATE ON "TableValues"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "raise_catalogue_generation"();
