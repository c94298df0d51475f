-- The term is email; no row has the earlier one.
ALTER TYPE "WatchChannel" RENAME VALUE 'mail' TO 'email';

-- CreateEnum
CREATE TYPE "NewsKind" AS ENUM ('run_failed', 'approval_asked', 'released', 'went_stale', 'recovered');

-- AlterTable
ALTER TABLE "Watch" ADD COLUMN     "disabledAt" TIMESTAMPTZ(3),
ADD COLUMN     "disabledReason" TEXT,
ADD COLUMN     "failingSince" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "WatchDelivery" ADD COLUMN     "attemptedAt" TIMESTAMPTZ(3),
ADD COLUMN     "newsId" UUID,
ADD COLUMN     "sendingUntil" TIMESTAMPTZ(3),
ADD COLUMN     "status" INTEGER;

-- CreateTable
CREATE TABLE "News" (
    "id" UUID NOT NULL,
    "datasetId" UUID NOT NULL,
    "tableIds" UUID[],
    "kind" "NewsKind" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "data" JSONB NOT NULL,

    CONSTRAINT "News_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "News_datasetId_at_idx" ON "News"("datasetId", "at" DESC);

-- CreateIndex
CREATE INDEX "News_at_idx" ON "News"("at");

-- CreateIndex
CREATE INDEX "Watch_tableId_idx" ON "Watch"("tableId");

-- CreateIndex
CREATE INDEX "Watch_userId_idx" ON "Watch"("userId");

-- CreateIndex
CREATE INDEX "WatchDelivery_newsId_idx" ON "WatchDelivery"("newsId");

-- CreateIndex
CREATE UNIQUE INDEX "WatchDelivery_watchId_newsId_key" ON "WatchDelivery"("watchId", "newsId");

-- AddForeignKey
ALTER TABLE "News" ADD CONSTRAINT "News_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Watch" ADD CONSTRAINT "Watch_tableId_fkey" FOREIGN KEY ("tableId") REFERENCES "Table"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Watch" ADD CONSTRAINT "Watch_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WatchDelivery" ADD CONSTRAINT "WatchDelivery_newsId_fkey" FOREIGN KEY ("newsId") REFERENCES "News"("id") ON DELETE CASCADE ON UPDATE CASCADE;
