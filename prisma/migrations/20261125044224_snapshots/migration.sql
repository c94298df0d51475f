-- AlterTable
ALTER TABLE "SourceSnapshot" DROP COLUMN "pinned";
