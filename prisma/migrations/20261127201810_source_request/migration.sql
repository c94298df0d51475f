-- CreateTable
CREATE TABLE "SourceRequest" (
    "id" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "workspaceId" UUID NOT NULL,
    "requestedAt" TIMESTAMPTZ(3) NOT NULL,
    "startedAt" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),
    "leaseUntil" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SourceRequest_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "SourceRequest_host_idx" ON "SourceRequest"("host");

-- CreateIndex
CREATE INDEX "SourceRequest_workspaceId_idx" ON "SourceRequest"("workspaceId");

-- CreateIndex
CREATE INDEX "SourceRequest_leaseUntil_idx" ON "SourceRequest"("leaseUntil");

-- AddForeignKey
ALTER TABLE "SourceRequest" ADD CONSTRAINT "SourceRequest_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
