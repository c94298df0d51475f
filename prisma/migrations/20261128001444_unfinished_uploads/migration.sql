-- CreateTable
CREATE TABLE "UnfinishedUpload" (
    "id" UUID NOT NULL,
    "workspaceId" UUID NOT NULL,
    "digest" TEXT NOT NULL,
    "totalBytes" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "fileName" TEXT NOT NULL,
    "storedBytes" BIGINT NOT NULL DEFAULT 0,
    "parts" INTEGER[],
    "changedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "UnfinishedUpload_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "UnfinishedUpload_workspaceId_digest_totalBytes_key" ON "UnfinishedUpload"("workspaceId", "digest", "totalBytes");

-- AddForeignKey
ALTER TABLE "UnfinishedUpload" ADD CONSTRAINT "UnfinishedUpload_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
