-- AlterTable
ALTER TABLE "Workspace" ADD COLUMN     "pastDueSince" TIMESTAMPTZ(6);

-- Since when an existing one is past due is not known: its week begins now.
UPDATE "Workspace" SET "pastDueSince" = now() WHERE "subscription" = 'past_due';
