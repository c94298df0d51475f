-- AlterTable
ALTER TABLE "AccessKey" ADD COLUMN     "datasetIds" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "permissions" TEXT[] DEFAULT ARRAY['read', 'download']::TEXT[];
