-- AlterTable
ALTER TABLE "Usage" DROP CONSTRAINT "Usage_pkey",
ADD CONSTRAINT "Usage_pkey" PRIMARY KEY ("workspaceId", "keyId", "day", "tableId");
