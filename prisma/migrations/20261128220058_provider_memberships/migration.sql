-- AlterTable
ALTER TABLE "Membership" ADD COLUMN     "provider" TEXT;
