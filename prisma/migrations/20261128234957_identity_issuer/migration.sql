-- AlterTable
ALTER TABLE "Identity" ADD COLUMN     "issuer" TEXT;
