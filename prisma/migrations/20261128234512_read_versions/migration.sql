-- AlterTable
ALTER TABLE "WatchDelivery" ADD COLUMN     "readVersionIds" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "viewDueAt" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "WatchedResult" ADD COLUMN     "readVersionIds" UUID[] DEFAULT ARRAY[]::UUID[];
