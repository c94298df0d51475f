-- Trigrams find misspelt words in the catalogue search.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- CreateEnum
CREATE TYPE "Plan" AS ENUM ('free', 'paid');

-- CreateEnum
CREATE TYPE "Subscription" AS ENUM ('active', 'past_due', 'canceled');

-- CreateEnum
CREATE TYPE "Role" AS ENUM ('owner', 'member');

-- CreateEnum
CREATE TYPE "KeyKind" AS ENUM ('use', 'live', 'cli');

-- CreateEnum
CREATE TYPE "Visibility" AS ENUM ('public', 'private', 'withdrawn');

-- CreateEnum
CREATE TYPE "SearchPart" AS ENUM ('title', 'slug', 'summary', 'description', 'publisher', 'topics', 'tables', 'columns');

-- CreateEnum
CREATE TYPE "Change" AS ENUM ('first', 'appended', 'restated', 'columns_added', 'breaking', 'metadata');

-- CreateTable
CREATE TABLE "User" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "createdAt" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Workspace" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "personal" BOOLEAN NOT NULL DEFAULT false,
    "plan" "Plan" NOT NULL DEFAULT 'free',
    "subscription" "Subscription",
    "createdAt" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Workspace_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Membership" (
    "userId" UUID NOT NULL,
    "workspaceId" UUID NOT NULL,
    "role" "Role" NOT NULL,
    "createdAt" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Membership_pkey" PRIMARY KEY ("userId","workspaceId")
);

-- CreateTable
CREATE TABLE "AccessKey" (
    "id" UUID NOT NULL,
    "kind" "KeyKind" NOT NULL,
    "hash" BYTEA NOT NULL,
    "first4" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "workspaceId" UUID NOT NULL,
    "userId" UUID,
    "createdAt" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" TIMESTAMPTZ(6),
    "expiresAt" TIMESTAMPTZ(6),
    "revokedAt" TIMESTAMPTZ(6),

    CONSTRAINT "AccessKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Publisher" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT,

    CONSTRAINT "Publisher_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Dataset" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "publisherId" UUID NOT NULL,
    "topics" TEXT[],
    "license" TEXT NOT NULL,
    "visibility" "Visibility" NOT NULL DEFAULT 'public',
    "workspaceId" UUID,
    "sources" JSONB NOT NULL,
    "temporalCoverage" TEXT,
    "createdAt" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "publishedAt" TIMESTAMPTZ(6),

    CONSTRAINT "Dataset_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SearchText" (
    "datasetId" UUID NOT NULL,
    "part" "SearchPart" NOT NULL,
    "text" TEXT NOT NULL,
    "words" tsvector NOT NULL,

    CONSTRAINT "SearchText_pkey" PRIMARY KEY ("datasetId","part")
);

-- CreateTable
CREATE TABLE "Table" (
    "id" UUID NOT NULL,
    "datasetId" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "license" TEXT,
    "position" INTEGER NOT NULL DEFAULT 0,
    "currentVersionId" UUID,
    "createdAt" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Table_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Version" (
    "id" UUID NOT NULL,
    "tableId" UUID NOT NULL,
    "sequence" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "rows" BIGINT NOT NULL,
    "columns" JSONB NOT NULL,
    "profiles" JSONB NOT NULL,
    "orderBy" TEXT[],
    "change" "Change" NOT NULL,
    "publishedAt" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "withdrawnAt" TIMESTAMPTZ(6),

    CONSTRAINT "Version_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Connection" (
    "workspaceId" UUID NOT NULL,
    "datasetId" UUID NOT NULL,
    "connectedAt" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Connection_pkey" PRIMARY KEY ("workspaceId","datasetId")
);

-- CreateTable
CREATE TABLE "Download" (
    "id" UUID NOT NULL,
    "versionId" UUID NOT NULL,
    "digest" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "keyHash" TEXT NOT NULL,
    "pathHash" TEXT NOT NULL,

    CONSTRAINT "Download_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Counter" (
    "subject" TEXT NOT NULL,
    "window" TEXT NOT NULL,
    "startAt" TIMESTAMPTZ(6) NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "Counter_pkey" PRIMARY KEY ("subject","window","startAt")
);

-- CreateIndex
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

-- CreateIndex
CREATE INDEX "Membership_workspaceId_idx" ON "Membership"("workspaceId");

-- CreateIndex
CREATE UNIQUE INDEX "AccessKey_hash_key" ON "AccessKey"("hash");

-- CreateIndex
CREATE INDEX "AccessKey_workspaceId_idx" ON "AccessKey"("workspaceId");

-- CreateIndex
CREATE UNIQUE INDEX "Publisher_slug_key" ON "Publisher"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "Dataset_slug_key" ON "Dataset"("slug");

-- CreateIndex
CREATE INDEX "Dataset_publishedAt_id_idx" ON "Dataset"("publishedAt" DESC, "id");

-- CreateIndex
CREATE INDEX "Dataset_publisherId_idx" ON "Dataset"("publisherId");

-- CreateIndex
CREATE INDEX "SearchText_words_idx" ON "SearchText" USING GIN ("words");

-- CreateIndex
CREATE INDEX "SearchText_text_idx" ON "SearchText" USING GIN ("text" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "Table_currentVersionId_key" ON "Table"("currentVersionId");

-- CreateIndex
CREATE UNIQUE INDEX "Table_datasetId_slug_key" ON "Table"("datasetId", "slug");

-- CreateIndex
CREATE INDEX "Version_digest_idx" ON "Version"("digest");

-- CreateIndex
CREATE UNIQUE INDEX "Version_tableId_sequence_key" ON "Version"("tableId", "sequence");

-- CreateIndex
CREATE INDEX "Connection_datasetId_idx" ON "Connection"("datasetId");

-- CreateIndex
CREATE INDEX "Download_versionId_idx" ON "Download"("versionId");

-- CreateIndex
CREATE INDEX "Counter_startAt_idx" ON "Counter"("startAt");

-- AddForeignKey
ALTER TABLE "Membership" ADD CONSTRAINT "Membership_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Membership" ADD CONSTRAINT "Membership_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AccessKey" ADD CONSTRAINT "AccessKey_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AccessKey" ADD CONSTRAINT "AccessKey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Dataset" ADD CONSTRAINT "Dataset_publisherId_fkey" FOREIGN KEY ("publisherId") REFERENCES "Publisher"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Dataset" ADD CONSTRAINT "Dataset_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SearchText" ADD CONSTRAINT "SearchText_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Table" ADD CONSTRAINT "Table_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Table" ADD CONSTRAINT "Table_currentVersionId_fkey" FOREIGN KEY ("currentVersionId") REFERENCES "Version"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Version" ADD CONSTRAINT "Version_tableId_fkey" FOREIGN KEY ("tableId") REFERENCES "Table"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Connection" ADD CONSTRAINT "Connection_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Connection" ADD CONSTRAINT "Connection_datasetId_fkey" FOREIGN KEY ("datasetId") REFERENCES "Dataset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Download" ADD CONSTRAINT "Download_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A version never changes; it can only be withdrawn.
CREATE FUNCTION "Version_is_immutable"() RETURNS trigger AS $$
BEGIN
  IF to_jsonb(NEW) - 'withdrawnAt' IS DISTINCT FROM to_jsonb(OLD) - 'withdrawnAt' THEN
    RAISE EXCEPTION 'version % is immutable', OLD.id;
  END IF;
  RETURN NEW;
END $$ LANGUAGE plpgsql;

CREATE TRIGGER "Version_immutable" BEFORE UPDATE ON "Version" FOR EACH ROW EXECUTE FUNCTION "Version_is_immutable"();
