-- AlterEnum
ALTER TYPE "ArtifactKind" ADD VALUE 'step_previews';
