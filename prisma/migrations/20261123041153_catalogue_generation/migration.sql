-- AlterTable
ALTER TABLE "Generation" ADD COLUMN     "catalogue" UUID NOT NULL DEFAULT gen_random_uuid();

-- As "raise_generation", in the same row: two rows, locked in either order, would be waited for in a circle.
CREATE FUNCTION "raise_catalogue_generation"() RETURNS trigger AS $$
DECLARE
  this CONSTANT text := pg_current_xact_id()::text;
BEGIN
  IF current_setting('parquetry.catalogue_raised_in', true) IS DISTINCT FROM this THEN
    PERFORM set_config('parquetry.catalogue_raised_in', this, true);
    UPDATE "Generation" SET "catalogue" = gen_random_uuid();
  END IF;
  RETURN NULL;
END $$ LANGUAGE plpgsql;

-- Deferred to the commit, so that the row is locked for no longer than that and nothing waits for it in a circle.
CREATE CONSTRAINT TRIGGER "Dataset_catalogue" AFTER INSERT OR DELETE OR UPDATE ON "Dataset"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "raise_catalogue_generation"();
CREATE CONSTRAINT TRIGGER "Publisher_catalogue" AFTER UPDATE OF "slug", "name", "url" ON "Publisher"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "raise_catalogue_generation"();
CREATE CONSTRAINT TRIGGER "Table_catalogue" AFTER INSERT OR DELETE OR UPDATE ON "Table"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "raise_catalogue_generation"();
CREATE CONSTRAINT TRIGGER "Version_catalogue" AFTER UPDATE ON "Version"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "raise_catalogue_generation"();
CREATE CONSTRAINT TRIGGER "SearchText_catalogue" AFTER INSERT OR DELETE OR UPDATE ON "SearchText"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "raise_catalogue_generation"();

-- When a worker looked last (computedAt, checkAt) is not told.
CREATE CONSTRAINT TRIGGER "Standing_catalogue_rows" AFTER INSERT OR DELETE ON "Standing"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "raise_catalogue_generation"();
CREATE CONSTRAINT TRIGGER "Standing_catalogue" AFTER UPDATE ON "Standing"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD."state" IS DISTINCT FROM NEW."state")
  EXECUTE FUNCTION "raise_catalogue_generation"();
