-- A sealed version is published once, at its first promotion; nothing else of it changes but what is said of it.
CREATE OR REPLACE FUNCTION "Version_is_immutable"() RETURNS trigger AS $$
DECLARE
  changing CONSTANT text[] := '{withdrawnAt,withdrawnReason,label,otherLabels,notes,publishedAt}';
BEGIN
  IF to_jsonb(NEW) - changing IS DISTINCT FROM to_jsonb(OLD) - changing OR OLD."withdrawnAt" IS NOT NULL
    OR (OLD."publishedAt" IS NOT NULL AND NEW."publishedAt" IS DISTINCT FROM OLD."publishedAt") THEN
    RAISE EXCEPTION 'version % is immutable', OLD.id;
  END IF;
  RETURN NEW;
END $$ LANGUAGE plpgsql;
