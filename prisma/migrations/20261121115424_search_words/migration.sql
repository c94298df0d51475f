-- AlterEnum
ALTER TYPE "SearchPart" ADD VALUE 'license';

-- DropIndex
DROP INDEX "SearchText_text_idx";

-- AlterTable
ALTER TABLE "SearchText" DROP COLUMN "text";

-- CreateTable
CREATE TABLE "SearchWord" (
    "word" TEXT NOT NULL,
    "stem" TEXT NOT NULL,

    CONSTRAINT "SearchWord_pkey" PRIMARY KEY ("word")
);

-- CreateIndex
CREATE INDEX "SearchWord_stem_idx" ON "SearchWord"("stem");

-- CreateIndex
CREATE INDEX "SearchWord_word_idx" ON "SearchWord" USING GIN ("word" gin_trgm_ops);

-- The search reads words now: the service makes them anew when it starts.
DELETE FROM "SearchText";
