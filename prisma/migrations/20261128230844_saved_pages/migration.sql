-- AlterTable
ALTER TABLE "SavedView" ADD COLUMN     "page" TEXT NOT NULL DEFAULT 'explorer';
