-- AlterTable
ALTER TABLE "SourceObservation" ADD COLUMN     "license" TEXT;

-- CreateIndex
CREATE INDEX "Source_url_idx" ON "Source" USING HASH ("url");
