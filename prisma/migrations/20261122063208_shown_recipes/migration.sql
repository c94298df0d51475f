-- AlterTable
ALTER TABLE "Build" ADD COLUMN     "showsRecipe" BOOLEAN NOT NULL DEFAULT true;
