-- AlterTable
ALTER TABLE "Watch" ADD COLUMN     "viewId" TEXT;

-- CreateTable
CREATE TABLE "WatchedResult" (
    "watchId" UUID NOT NULL,
    "threshold" JSONB,
    "versionId" UUID,
    "problem" TEXT,
    "resultVersionId" UUID NOT NULL,
    "result" TEXT NOT NULL,
    "shown" TEXT NOT NULL,
    "lookedAt" TIMESTAMPTZ(3) NOT NULL,
    "triedVersionId" UUID,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextAt" TIMESTAMPTZ(3),
    "servedAt" TIMESTAMPTZ(3),
    "heldUntil" TIMESTAMPTZ(3),

    CONSTRAINT "WatchedResult_pkey" PRIMARY KEY ("watchId")
);

-- CreateIndex
CREATE INDEX "Watch_viewId_idx" ON "Watch"("viewId");

-- AddForeignKey
ALTER TABLE "Watch" ADD CONSTRAINT "Watch_viewId_fkey" FOREIGN KEY ("viewId") REFERENCES "SavedView"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WatchedResult" ADD CONSTRAINT "WatchedResult_watchId_fkey" FOREIGN KEY ("watchId") REFERENCES "Watch"("id") ON DELETE CASCADE ON UPDATE CASCADE;
