-- AlterTable
ALTER TABLE "Version" ADD COLUMN     "withdrawnReason" TEXT;

-- A version is withdrawn once, for good, with its reason; nothing else of it ever changes.
CREATE OR REPLACE FUNCTION "Version_is_immutable"() RETURNS trigger AS $$
BEGIN
  IF to_jsonb(NEW) - '{withdrawnAt,withdrawnReason}'::text[] IS DISTINCT FROM to_jsonb(OLD) - '{withdrawnAt,withdrawnReason}'::text[]
    OR OLD."withdrawnAt" IS NOT NULL THEN
    RAISE EXCEPTION 'version % is immutable', OLD.id;
  END IF;
  RETURN NEW;
END $$ LANGUAGE plpgsql;
