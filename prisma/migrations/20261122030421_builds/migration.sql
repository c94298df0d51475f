-- CreateEnum
CREATE TYPE "ApprovalPolicy" AS ENUM ('person', 'agent_private');

-- CreateEnum
CREATE TYPE "RevisionOrigin" AS ENUM ('registered', 'proposed', 'reverted');

-- CreateEnum
CREATE TYPE "RevisionState" AS ENUM ('draft', 'sampled', 'approved', 'superseded', 'rejected');

-- CreateEnum
CREATE TYPE "RunKind" AS ENUM ('build', 'refresh', 'replay');

-- CreateEnum
CREATE TYPE "RunTrigger" AS ENUM ('person', 'agent', 'schedule', 'upstream', 'upload');

-- CreateEnum
CREATE TYPE "RunState" AS ENUM ('planned', 'queued', 'running', 'awaiting_approval', 'queued_full', 'running_full', 'sealed', 'failed', 'cancelled', 'expired');

-- CreateEnum
CREATE TYPE "RunOutcome" AS ENUM ('released', 'unchanged');

-- CreateEnum
CREATE TYPE "ArtifactKind" AS ENUM ('recipe', 'plan', 'sample_table', 'candidate_table', 'rejects', 'checks', 'lineage', 'profile', 'raw_source', 'log');

-- CreateEnum
CREATE TYPE "ApprovalKind" AS ENUM ('run', 'publish', 'activate');

-- CreateEnum
CREATE TYPE "ApprovalState" AS ENUM ('asked', 'approved', 'declined', 'withdrawn', 'expired');

-- CreateEnum
CREATE TYPE "InspectionState" AS ENUM ('queued', 'running', 'done', 'failed');

-- CreateEnum
CREATE TYPE "PromotionReason" AS ENUM ('promoted', 'rolled_back', 'withdrawn');

-- CreateEnum
CREATE TYPE "Continuity" AS ENUM ('continuous', 'restated', 'gap', 'unknown');

-- CreateEnum
CREATE TYPE "ObservationOutcome" AS ENUM ('ok', 'failed');

-- CreateEnum
CREATE TYPE "WatchChannel" AS ENUM ('mail', 'webhook');

-- CreateEnum
CREATE TYPE "DeliveryState" AS ENUM ('waiting', 'sent', 'given_up');

-- DropForeignKey
ALTER TABLE "Dataset" DROP CONSTRAINT "Dataset_publisherId_fkey";

-- AlterTable
ALTER TABLE "Dataset" ALTER COLUMN "publisherId" DROP NOT NULL,
ALTER COLUMN "license" DROP NOT NULL;

-- AlterTable
ALTER TABLE "SourceCredential" ADD COLUMN     "hosts" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "Version" ALTER COLUMN "publishedAt" DROP NOT NULL,
ALTER COLUMN "publishedAt" DROP DEFAULT;

-- CreateTable
CREATE TABLE "Build" (
    "datasetId" UUID NOT NULL,
    "workspaceId" UUID NOT NULL,
    "createdById" UUID,
    "approvalPolicy" "ApprovalPolicy" NOT NULL DEFAULT 'agent_private',
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Build_pkey" PRIMARY KEY ("datasetId")
);

-- CreateTable
CREATE TABLE "RecipeRevision" (
    "id" UUID NOT NULL,
    "datasetId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "document" TEXT NOT NULL,
    "documentDigest" TEXT NOT NULL,
    "recipeDigest" TEXT,
    "lock" TEXT,
    "basedOn" INTEGER,
    "origin" "RevisionOrigin" NOT NULL,
    "state" "RevisionState" NOT NULL DEFAULT 'draft',
    "note" TEXT NOT NULL DEFAULT '',
    "actor" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "approvedAt" TIMESTAMPTZ(3),
    "approvedById" UUID,

    CONSTRAINT "RecipeRevision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Run" (
    "id" UUID NOT NULL,
    "datasetId" UUID NOT NULL,
    "workspaceId" UUID NOT NULL,
    "revisionId" UUID NOT NULL,
    "kind" "RunKind" NOT NULL,
    "trigger" "RunTrigger" NOT NULL,
    "state" "RunState" NOT NULL,
    "outcome" "RunOutcome",
    "failureCode" TEXT,
    "failureMessage" TEXT,
    "plan" JSONB NOT NULL,
    "progress" JSONB NOT NULL,
    "sample" JSONB,
    "recipeDigest" TEXT,
    "engine" TEXT NOT NULL DEFAULT '',
    "basedOnRunId" UUID,
    "replayBytes" TEXT,
    "then" JSONB,
    "priority" INTEGER NOT NULL DEFAULT 0,
    "notBefore" TIMESTAMPTZ(3),
    "queuedAt" TIMESTAMPTZ(3),
    "claimedAt" TIMESTAMPTZ(3),
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),
    "expiresAt" TIMESTAMPTZ(3),
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "worker" TEXT,
    "fence" BIGINT NOT NULL DEFAULT 0,
    "heartbeatAt" TIMESTAMPTZ(3),
    "cancelRequestedAt" TIMESTAMPTZ(3),
    "cancelledBy" JSONB,
    "eventSeq" INTEGER NOT NULL DEFAULT 0,
    "createdBy" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RunEvent" (
    "runId" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "data" JSONB NOT NULL,

    CONSTRAINT "RunEvent_pkey" PRIMARY KEY ("runId","seq")
);

-- CreateTable
CREATE TABLE "RunArtifact" (
    "id" UUID NOT NULL,
    "runId" UUID NOT NULL,
    "kind" "ArtifactKind" NOT NULL,
    "tableSlug" TEXT,
    "name" TEXT NOT NULL,
    "mediaType" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "digest" TEXT NOT NULL,
    "columns" JSONB,
    "rows" BIGINT,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "RunArtifact_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Approval" (
    "id" UUID NOT NULL,
    "runId" UUID NOT NULL,
    "kind" "ApprovalKind" NOT NULL,
    "recipeDigest" TEXT NOT NULL,
    "sampleDigest" TEXT NOT NULL DEFAULT '',
    "askedAt" TIMESTAMPTZ(3) NOT NULL,
    "askedBy" JSONB NOT NULL,
    "message" TEXT,
    "then" JSONB NOT NULL,
    "state" "ApprovalState" NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "decidedAt" TIMESTAMPTZ(3),
    "decidedBy" JSONB,
    "decidedById" UUID,
    "reason" TEXT,
    "sessionId" UUID,

    CONSTRAINT "Approval_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Note" (
    "id" UUID NOT NULL,
    "datasetId" UUID NOT NULL,
    "runId" UUID,
    "tableSlug" TEXT,
    "body" TEXT NOT NULL,
    "actor" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Note_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Inspection" (
    "id" UUID NOT NULL,
    "workspaceId" UUID NOT NULL,
    "datasetId" UUID,
    "request" TEXT NOT NULL,
    "requestDigest" TEXT NOT NULL,
    "state" "InspectionState" NOT NULL,
    "result" JSONB,
    "failureCode" TEXT,
    "failureMessage" TEXT,
    "worker" TEXT,
    "fence" BIGINT NOT NULL DEFAULT 0,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "createdBy" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Inspection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Promotion" (
    "id" UUID NOT NULL,
    "tableId" UUID NOT NULL,
    "versionId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "by" JSONB NOT NULL,
    "reason" "PromotionReason" NOT NULL,

    CONSTRAINT "Promotion_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Release" (
    "id" UUID NOT NULL,
    "tableId" UUID NOT NULL,
    "versionId" UUID NOT NULL,
    "runId" UUID NOT NULL,
    "revisionId" UUID NOT NULL,
    "sealedAt" TIMESTAMPTZ(3) NOT NULL,
    "dataThrough" DATE,
    "continuity" "Continuity" NOT NULL DEFAULT 'unknown',
    "checks" JSONB NOT NULL,
    "warnings" INTEGER NOT NULL DEFAULT 0,
    "lineage" TEXT NOT NULL,
    "promotedAt" TIMESTAMPTZ(3),
    "promotedBy" JSONB,

    CONSTRAINT "Release_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Activation" (
    "id" UUID NOT NULL,
    "tableId" UUID NOT NULL,
    "datasetId" UUID NOT NULL,
    "activatedAt" TIMESTAMPTZ(3) NOT NULL,
    "activatedBy" JSONB NOT NULL,
    "deactivatedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Activation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Schedule" (
    "datasetId" UUID NOT NULL,
    "revisionId" UUID NOT NULL,
    "spec" JSONB NOT NULL,
    "nextAt" TIMESTAMPTZ(3) NOT NULL,
    "lastTickAt" TIMESTAMPTZ(3),
    "pausedAt" TIMESTAMPTZ(3),
    "pausedBy" JSONB,
    "pausedReason" TEXT,
    "failuresInRow" INTEGER NOT NULL DEFAULT 0,
    "nextProbeAt" TIMESTAMPTZ(3),

    CONSTRAINT "Schedule_pkey" PRIMARY KEY ("datasetId")
);

-- CreateTable
CREATE TABLE "SourceObservation" (
    "id" UUID NOT NULL,
    "datasetId" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "partition" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "runId" UUID,
    "outcome" "ObservationOutcome" NOT NULL,
    "changed" BOOLEAN,
    "how" TEXT NOT NULL,
    "address" TEXT,
    "status" INTEGER,
    "etag" TEXT,
    "lastModified" TEXT,
    "rawDigest" TEXT,
    "rowsDigest" TEXT,
    "bytes" BIGINT,
    "ms" INTEGER NOT NULL,
    "failureCode" TEXT,

    CONSTRAINT "SourceObservation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SourceSnapshot" (
    "workspaceId" UUID NOT NULL,
    "digest" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "mediaType" TEXT NOT NULL,
    "storedAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3) NOT NULL,
    "pinned" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "SourceSnapshot_pkey" PRIMARY KEY ("workspaceId","digest")
);

-- CreateTable
CREATE TABLE "SourcePartition" (
    "datasetId" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "partition" TEXT NOT NULL,
    "rawDigest" TEXT NOT NULL,
    "rowsDigest" TEXT,
    "etag" TEXT,
    "lastModified" TEXT,
    "mediaType" TEXT NOT NULL DEFAULT '',
    "readAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SourcePartition_pkey" PRIMARY KEY ("datasetId","source","partition")
);

-- CreateTable
CREATE TABLE "Upload" (
    "id" UUID NOT NULL,
    "workspaceId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "fileName" TEXT NOT NULL,
    "mediaType" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" JSONB NOT NULL,

    CONSTRAINT "Upload_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Watch" (
    "id" UUID NOT NULL,
    "workspaceId" UUID NOT NULL,
    "datasetId" UUID,
    "tableId" UUID,
    "userId" UUID,
    "channel" "WatchChannel" NOT NULL,
    "target" TEXT NOT NULL,
    "sealed" BYTEA,
    "sealedWith" TEXT,
    "events" TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastSentAt" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Watch_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WatchDelivery" (
    "id" UUID NOT NULL,
    "watchId" UUID NOT NULL,
    "event" JSONB NOT NULL,
    "state" "DeliveryState" NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextAt" TIMESTAMPTZ(3),
    "answer" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "WatchDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SourceHost" (
    "host" TEXT NOT NULL,
    "nextAt" TIMESTAMPTZ(3) NOT NULL,
    "inFlight" INTEGER NOT NULL DEFAULT 0,
    "failuresInRow" INTEGER NOT NULL DEFAULT 0,
    "coolUntil" TIMESTAMPTZ(3),

    CONSTRAINT "SourceHost_pkey" PRIMARY KEY ("host")
);

-- CreateTable
CREATE TABLE "IdempotencyRecord" (
    "workspaceId" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "requestDigest" TEXT NOT NULL,
    "reply" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "IdempotencyRecord_pkey" PRIMARY KEY ("workspaceId","key")
);

-- CreateTable
CREATE TABLE "BuildUsage" (
    "workspaceId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "runs" INTEGER NOT NULL DEFAULT 0,
    "inspections" INTEGER NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "BuildUsage_pkey" PRIMARY KEY ("workspaceId","day")
);

-- CreateIndex
CREATE INDEX "Build_workspaceId_idx" ON "Build"("workspaceId");

-- CreateIndex
CREATE UNIQUE INDEX "RecipeRevision_datasetId_number_key" ON "RecipeRevision"("datasetId", "number");

-- CreateIndex
CREATE INDEX "Run_state_notBefore_idx" ON "Run"("state", "notBefore");

-- CreateIndex
CREATE INDEX "Run_datasetId_createdAt_idx" ON "Run"("datasetId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "Run_workspaceId_createdAt_idx" ON "Run"("workspaceId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "Run_revisionId_idx" ON "Run"("revisionId");

-- CreateIndex
CREATE INDEX "RunArtifact_runId_idx" ON "RunArtifact"("runId");

-- CreateIndex
CREATE INDEX "RunArtifact_expiresAt_idx" ON "RunArtifact"("expiresAt");

-- CreateIndex
CREATE INDEX "RunArtifact_digest_idx" ON "RunArtifact"("digest");

-- CreateIndex
CREATE INDEX "Approval_state_expiresAt_idx" ON "Approval"("state", "expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Approval_runId_kind_key" ON "Approval"("runId", "kind");

-- CreateIndex
CREATE INDEX "Note_datasetId_at_idx" ON "Note"("datasetId", "at" DESC);

-- CreateIndex
CREATE INDEX "Note_runId_idx" ON "Note"("runId");

-- CreateIndex
CREATE INDEX "Inspection_workspaceId_requestDigest_createdAt_idx" ON "Inspection"("workspaceId", "requestDigest", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "Inspection_datasetId_idx" ON "Inspection"("datasetId");

-- CreateIndex
CREATE INDEX "Inspection_expiresAt_idx" ON "Inspection"("expiresAt");

-- CreateIndex
CREATE INDEX "Promotion_tableId_at_idx" ON "Promotion"("tableId", "at" DESC);

-- CreateIndex
CREATE INDEX "Promotion_versionId_idx" ON "Promotion"("versionId");

-- CreateIndex
CREATE UNIQUE INDEX "Release_versionId_key" ON "Release"("versionId");

-- CreateIndex
CREATE INDEX "Release_tableId_sealedAt_idx" ON "Release"("tableId", "sealedAt" DESC);

-- CreateIndex
CREATE INDEX "Release_runId_idx" ON "Release"("runId");

-- CreateIndex
CREATE INDEX "Release_revisionId_idx" ON "Release"("revisionId");

-- CreateIndex
CREATE UNIQUE INDEX "Activation_tableId_key" ON "Activation"("tableId");

-- CreateIndex
CREATE INDEX "Activation_datasetId_idx" ON "Activation"("datasetId");

-- CreateIndex
CREATE INDEX "Schedule_nextAt_idx" ON "Schedule"("nextAt");

-- CreateIndex
CREATE INDEX "SourceObservation_datasetId_source_at_idx" ON "SourceObservation"("datasetId", "source", "at" DESC);

-- CreateIndex
CREATE INDEX "SourceObservation_runId_idx" ON "SourceObservation"("runId");

-- CreateIndex
CREATE INDEX "SourceSnapshot_usedAt_idx" ON "SourceSnapshot"("usedAt");

-- CreateIndex
CREATE INDEX "Upload_workspaceId_name_at_idx" ON "Upload"("workspaceId", "name", "at" DESC);

-- CreateIndex
CREATE INDEX "Watch_workspaceId_idx" ON "Watch"("workspaceId");

-- CreateIndex
CREATE INDEX "Watch_datasetId_idx" ON "Watch"("datasetId");

-- CreateIndex
CREATE INDEX "WatchDelivery_watchId_at_idx" ON "WatchDelivery"("watchId", "at" DESC);

-- CreateIndex
CREATE INDEX "WatchDelivery_state_nextAt_idx" ON "WatchDelivery"("state", "nextAt");

-- CreateIndex
CREATE INDEX "IdempotencyRecord_expiresAt_idx" ON "IdempotencyRecord"("expiresAt");

-- AddForeignKey
ALTER TABLE "Dataset" ADD CONSTRAINT "Dataset_publisherId_fkey" FOREIGN KEY ("publisherId") REFERENCES "Publisher"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Build" ADD CONSTRAINT "Build_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Build" ADD CONSTRAINT "Build_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RecipeRevision" ADD CONSTRAINT "RecipeRevision_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "RecipeRevision"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RunEvent" ADD CONSTRAINT "RunEvent_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RunArtifact" ADD CONSTRAINT "RunArtifact_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Approval" ADD CONSTRAINT "Approval_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Note" ADD CONSTRAINT "Note_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Note" ADD CONSTRAINT "Note_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Inspection" ADD CONSTRAINT "Inspection_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Inspection" ADD CONSTRAINT "Inspection_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Promotion" ADD CONSTRAINT "Promotion_tableId_fkey" FOREIGN KEY ("tableId") REFERENCES "Table"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Promotion" ADD CONSTRAINT "Promotion_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Release" ADD CONSTRAINT "Release_tableId_fkey" FOREIGN KEY ("tableId") REFERENCES "Table"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Release" ADD CONSTRAINT "Release_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Release" ADD CONSTRAINT "Release_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Release" ADD CONSTRAINT "Release_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "RecipeRevision"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Activation" ADD CONSTRAINT "Activation_tableId_fkey" FOREIGN KEY ("tableId") REFERENCES "Table"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Activation" ADD CONSTRAINT "Activation_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Schedule" ADD CONSTRAINT "Schedule_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SourceObservation" ADD CONSTRAINT "SourceObservation_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SourceSnapshot" ADD CONSTRAINT "SourceSnapshot_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SourcePartition" ADD CONSTRAINT "SourcePartition_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Upload" ADD CONSTRAINT "Upload_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Watch" ADD CONSTRAINT "Watch_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Watch" ADD CONSTRAINT "Watch_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WatchDelivery" ADD CONSTRAINT "WatchDelivery_watchId_fkey" FOREIGN KEY ("watchId") REFERENCES "Watch"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IdempotencyRecord" ADD CONSTRAINT "IdempotencyRecord_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BuildUsage" ADD CONSTRAINT "BuildUsage_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is public, or was ever published, names its licence and its publisher.
ALTER TABLE "Dataset" ADD CONSTRAINT "Dataset_published_whole" CHECK (
  ("visibility" <> 'public' AND "publishedAt" IS NULL) OR ("license" IS NOT NULL AND "publisherId" IS NOT NULL));

-- What was current when: each version from its publication on.
INSERT INTO "Promotion" ("id", "tableId", "versionId", "at", "by", "reason")
  SELECT gen_random_uuid(), "tableId", "id", "publishedAt", '{"kind":"operator"}'::jsonb, 'promoted' FROM "Version";
