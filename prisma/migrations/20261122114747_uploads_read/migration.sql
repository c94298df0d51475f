-- AlterTable
ALTER TABLE "Upload" ADD COLUMN     "readAt" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "Upload_digest_idx" ON "Upload"("digest");
