-- AlterEnum: what was not compared has a name of its own
ALTER TYPE "Continuity" RENAME VALUE 'unknown' TO 'not_assessed';
ALTER TYPE "Continuity" ADD VALUE 'truncated';
ALTER TYPE "Continuity" ADD VALUE 'schema_changed';
ALTER TYPE "Continuity" ADD VALUE 'first_release';
