-- CreateTable
CREATE TABLE "Standing" (
    "datasetId" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "tables" JSONB NOT NULL,
    "computedAt" TIMESTAMPTZ(3) NOT NULL,
    "checkAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Standing_pkey" PRIMARY KEY ("datasetId")
);

-- CreateIndex
CREATE INDEX "Standing_checkAt_idx" ON "Standing"("checkAt");

-- AddForeignKey
ALTER TABLE "Standing" ADD CONSTRAINT "Standing_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;
