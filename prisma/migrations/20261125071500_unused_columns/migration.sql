-- AlterTable
ALTER TABLE "Session" DROP COLUMN "fromHash";

-- AlterTable
ALTER TABLE "SourceHost" DROP COLUMN "coolUntil",
DROP COLUMN "failuresInRow",
DROP COLUMN "inFlight";

-- AlterTable
ALTER TABLE "Approval" DROP COLUMN "sampleDigest";

-- CreateIndex
CREATE INDEX "SourceHost_nextAt_idx" ON "SourceHost"("nextAt");
