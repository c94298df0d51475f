-- AlterEnum
ALTER TYPE "OAuthClientKind" ADD VALUE 'builtin';

-- AlterEnum
ALTER TYPE "OAuthTokenKind" ADD VALUE 'device';

-- AlterTable
ALTER TABLE "AgentConnection" ADD COLUMN     "deviceName" TEXT;

-- AlterTable
ALTER TABLE "OAuthToken" ADD COLUMN     "first4" TEXT,
ADD COLUMN     "last4" TEXT;

-- CreateTable
CREATE TABLE "DeviceCode" (
    "hash" BYTEA NOT NULL,
    "userHash" BYTEA NOT NULL,
    "clientId" TEXT NOT NULL,
    "scopes" TEXT[],
    "resource" TEXT NOT NULL,
    "deviceName" TEXT,
    "fromBlock" TEXT,
    "createdAt" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(6) NOT NULL,
    "intervalSeconds" INTEGER NOT NULL,
    "polledAt" TIMESTAMPTZ(6),
    "answeredAt" TIMESTAMPTZ(6),
    "connectionId" UUID,
    "usedAt" TIMESTAMPTZ(6),

    CONSTRAINT "DeviceCode_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "DeviceCode_userHash_key" ON "DeviceCode"("userHash");

-- CreateIndex
CREATE UNIQUE INDEX "DeviceCode_connectionId_key" ON "DeviceCode"("connectionId");

-- CreateIndex
CREATE INDEX "DeviceCode_expiresAt_idx" ON "DeviceCode"("expiresAt");

-- AddForeignKey
ALTER TABLE "DeviceCode" ADD CONSTRAINT "DeviceCode_connectionId_fkey" FOREIGN KEY ("connectionId") REFERENCES "AgentConnection"("id") ON DELETE CASCADE ON UPDATE CASCADE;
