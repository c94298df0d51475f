-- AlterTable
ALTER TABLE "Version" ADD COLUMN     "label" TEXT,
ADD COLUMN     "notes" TEXT,
ADD COLUMN     "otherLabels" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateIndex
CREATE UNIQUE INDEX "Version_tableId_label_key" ON "Version"("tableId", "label");

-- Labels and notes are what is said of a version, so they may change; nothing else of it ever does, nor of a withdrawn one.
CREATE OR REPLACE FUNCTION "Version_is_immutable"() RETURNS trigger AS $$
DECLARE
  changing CONSTANT text[] := '{withdrawnAt,withdrawnReason,label,otherLabels,notes}';
BEGIN
  IF to_jsonb(NEW) - changing IS DISTINCT FROM to_jsonb(OLD) - changing OR OLD."withdrawnAt" IS NOT NULL THEN
    RAISE EXCEPTION 'version % is immutable', OLD.id;
  END IF;
  RETURN NEW;
END $$ LANGUAGE plpgsql;
