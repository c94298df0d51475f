-- AlterTable
ALTER TABLE "Generation" ADD COLUMN     "pages" UUID NOT NULL DEFAULT gen_random_uuid();

-- Of one that is gone by now its own deletion tells.
CREATE FUNCTION "dataset_is_shown"(dataset uuid) RETURNS boolean AS $$
  SELECT EXISTS (SELECT FROM "Dataset" WHERE id = dataset AND visibility <> 'private')
$$ LANGUAGE sql STABLE;

CREATE FUNCTION "table_is_shown"(of_table uuid) RETURNS boolean AS $$
  SELECT EXISTS (SELECT FROM "Table" WHERE id = of_table AND "dataset_is_shown"("datasetId"))
$$ LANGUAGE sql STABLE;

-- As before, and `pages` where anybody's pages may show what changed: not who calls, and nothing of a dataset that is
-- private before and after.
CREATE OR REPLACE FUNCTION "raise_generation"() RETURNS trigger AS $$
DECLARE
  this CONSTANT text := pg_current_xact_id()::text;
  is_hidden boolean := false;
BEGIN
  IF current_setting('parquetry.raised_in', true) IS DISTINCT FROM this THEN
    PERFORM set_config('parquetry.raised_in', this, true);
    UPDATE "Generation" SET "value" = gen_random_uuid();
  END IF;
  IF current_setting('parquetry.pages_raised_in', true) IS NOT DISTINCT FROM this THEN
    RETURN NULL;
  END IF;
  IF TG_TABLE_NAME IN ('AccessKey', 'User', 'Membership', 'Upload') THEN
    is_hidden := true;
  ELSIF TG_LEVEL = 'ROW' AND TG_TABLE_NAME = 'Workspace' THEN
    is_hidden := TG_OP = 'INSERT' OR TG_OP = 'UPDATE' AND OLD."name" = NEW."name";
  ELSIF TG_LEVEL = 'ROW' AND TG_TABLE_NAME = 'Dataset' THEN
    is_hidden := (TG_OP = 'INSERT' OR OLD."visibility" = 'private') AND (TG_OP = 'DELETE' OR NEW."visibility" = 'private');
  ELSIF TG_LEVEL = 'ROW' AND TG_TABLE_NAME IN ('Version', 'Release', 'Promotion') THEN
    is_hidden := NOT "table_is_shown"(COALESCE(NEW."tableId", OLD."tableId"));
  ELSIF TG_LEVEL = 'ROW' AND TG_TABLE_NAME <> 'Publisher' THEN
    is_hidden := NOT "dataset_is_shown"(COALESCE(NEW."datasetId", OLD."datasetId"));
  END IF;
  IF NOT is_hidden THEN
    PERFORM set_config('parquetry.pages_raised_in', this, true);
    UPDATE "Generation" SET "pages" = gen_random_uuid();
  END IF;
  RETURN NULL;
END $$ LANGUAGE plpgsql;

-- As before, but for what belongs to a private dataset, which the catalogue does not tell of.
CREATE OR REPLACE FUNCTION "raise_catalogue_generation"() RETURNS trigger AS $$
DECLARE
  this CONSTANT text := pg_current_xact_id()::text;
  is_hidden boolean := false;
BEGIN
  IF current_setting('parquetry.catalogue_raised_in', true) IS NOT DISTINCT FROM this THEN
    RETURN NULL;
  END IF;
  IF TG_TABLE_NAME = 'Dataset' THEN
    is_hidden := (TG_OP = 'INSERT' OR OLD."visibility" = 'private') AND (TG_OP = 'DELETE' OR NEW."visibility" = 'private');
  ELSIF TG_TABLE_NAME = 'Version' THEN
    is_hidden := NOT "table_is_shown"(NEW."tableId");
  ELSIF TG_TABLE_NAME <> 'Publisher' THEN
    is_hidden := NOT "dataset_is_shown"(COALESCE(NEW."datasetId", OLD."datasetId"));
  END IF;
  IF NOT is_hidden THEN
    PERFORM set_config('parquetry.catalogue_raised_in', this, true);
    UPDATE "Generation" SET "catalogue" = gen_random_uuid();
  END IF;
  RETURN NULL;
END $$ LANGUAGE plpgsql;
