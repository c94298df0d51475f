-- CreateTable
CREATE TABLE "Generation" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "value" UUID NOT NULL,

    CONSTRAINT "Generation_pkey" PRIMARY KEY ("id")
);

INSERT INTO "Generation" ("value") VALUES (gen_random_uuid());

-- Once in a transaction. A random value, since a number could come again after a crash that lost the newest commits.
CREATE FUNCTION "raise_generation"() RETURNS trigger AS $$
DECLARE
  this CONSTANT text := pg_current_xact_id()::text;
BEGIN
  IF current_setting('parquetry.raised_in', true) IS DISTINCT FROM this THEN
    PERFORM set_config('parquetry.raised_in', this, true);
    UPDATE "Generation" SET "value" = gen_random_uuid();
  END IF;
  RETURN NULL;
END $$ LANGUAGE plpgsql;

-- Has a table raise the generation: with each row that comes or goes, and with each change of the columns named.
-- Deferred to the commit, so that the generation's row is locked for no longer than that and nothing waits for it in a
-- circle.
CREATE FUNCTION "raises_generation"(covered text, VARIADIC columns text[]) RETURNS void AS $$
DECLARE
  each_is CONSTANT text := 'DEFERRABLE INITIALLY DEFERRED FOR EACH ROW';
  raise CONSTANT text := 'EXECUTE FUNCTION "raise_generation"()';
BEGIN
  EXECUTE format('DROP TRIGGER IF EXISTS %I ON %I', covered || '_rows_raise', covered);
  EXECUTE format('DROP TRIGGER IF EXISTS %I ON %I', covered || '_all_raise', covered);
  EXECUTE format('DROP TRIGGER IF EXISTS %I ON %I', covered || '_columns_raise', covered);
  EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER INSERT OR DELETE ON %I %s %s',
    covered || '_rows_raise', covered, each_is, raise);
  EXECUTE format('CREATE TRIGGER %I AFTER TRUNCATE ON %I %s', covered || '_all_raise', covered, raise);
  IF cardinality(columns) > 0 THEN
    EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER UPDATE OF %s ON %I %s WHEN (ROW(%s) IS DISTINCT FROM ROW(%s)) %s',
      covered || '_columns_raise', (SELECT string_agg(format('%I', c), ', ') FROM unnest(columns) AS c), covered,
      each_is, (SELECT string_agg(format('OLD.%I', c), ', ') FROM unnest(columns) AS c),
      (SELECT string_agg(format('NEW.%I', c), ', ') FROM unnest(columns) AS c), raise);
  END IF;
END $$ LANGUAGE plpgsql;

-- Who calls. What changes at a use (lastUsedAt) is not among it.
SELECT "raises_generation"('AccessKey', 'kind', 'hash', 'first4', 'last4', 'name', 'workspaceId', 'userId', 'createdAt',
  'expiresAt', 'revokedAt');
SELECT "raises_generation"('User', 'disabledAt');
SELECT "raises_generation"('Membership', 'userId', 'workspaceId', 'role');
SELECT "raises_generation"('Workspace', 'name', 'plan', 'subscription', 'pastDueSince');

-- What there is to read. Of a version nothing else can change.
SELECT "raises_generation"('Publisher', 'slug', 'name', 'url');
SELECT "raises_generation"('Dataset', 'slug', 'title', 'summary', 'description', 'publisherId', 'topics', 'license',
  'visibility', 'workspaceId', 'sources', 'temporalCoverage', 'createdAt', 'publishedAt', 'rows');
SELECT "raises_generation"('Table', 'datasetId', 'slug', 'name', 'description', 'license', 'position',
  'currentVersionId');
SELECT "raises_generation"('Version', 'label', 'otherLabels', 'notes', 'publishedAt', 'withdrawnAt', 'withdrawnReason');
SELECT "raises_generation"('SearchText', 'words');

-- How it was made, and whether it is current. What changes while a run is under way (events, progress, readings) is not
-- among it, nor when a worker looked last (computedAt, checkAt, nextAt).
SELECT "raises_generation"('Build', 'workspaceId', 'approvalPolicy', 'showsRecipe');
SELECT "raises_generation"('RecipeRevision', 'document', 'documentDigest', 'recipeDigest', 'lock', 'state',
  'approvedAt');
SELECT "raises_generation"('Run', 'state', 'outcome', 'claimedAt', 'finishedAt', 'recipeDigest');
SELECT "raises_generation"('Release', 'sealedAt', 'dataThrough', 'continuity', 'checks', 'warnings', 'lineage',
  'promotedAt', 'promotedBy');
SELECT "raises_generation"('Promotion', 'at', 'by', 'reason');
SELECT "raises_generation"('Activation', 'activatedAt', 'deactivatedAt');
SELECT "raises_generation"('Standing', 'state', 'reason', 'since', 'tables');
SELECT "raises_generation"('Schedule', 'revisionId', 'spec', 'slowedAt', 'pausedAt');
SELECT "raises_generation"('Upload', 'name', 'digest', 'at');
