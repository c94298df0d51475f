-- AlterTable
ALTER TABLE "Schedule" DROP COLUMN "nextProbeAt",
ADD COLUMN     "accountedAt" TIMESTAMPTZ(3),
ADD COLUMN     "heldReason" TEXT,
ADD COLUMN     "slowedAt" TIMESTAMPTZ(3),
ADD COLUMN     "uploads" TEXT[],
ADD COLUMN     "upstreams" TEXT[],
ADD COLUMN     "wakeAt" TIMESTAMPTZ(3),
ADD COLUMN     "wakeBy" "RunTrigger",
ALTER COLUMN "spec" DROP NOT NULL,
ALTER COLUMN "nextAt" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "Run_finishedAt_idx" ON "Run"("finishedAt");

-- CreateIndex
CREATE INDEX "Schedule_wakeAt_idx" ON "Schedule"("wakeAt");
