-- AlterTable
ALTER TABLE "Version" ADD COLUMN     "primaryKey" TEXT[] DEFAULT ARRAY[]::TEXT[];
