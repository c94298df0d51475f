-- AlterEnum
ALTER TYPE "SearchPart" ADD VALUE 'values';

-- Search texts are read anew at the next start, with the values of columns.
DELETE FROM "SearchText";
