-- AlterTable
ALTER TABLE "WatchDelivery" DROP COLUMN "sendingUntil";

-- CreateTable
CREATE TABLE "DeliveryTurn" (
    "workspaceId" UUID NOT NULL,
    "channel" "WatchChannel" NOT NULL,
    "servedAt" TIMESTAMPTZ(3),
    "heldUntil" TIMESTAMPTZ(3),

    CONSTRAINT "DeliveryTurn_pkey" PRIMARY KEY ("workspaceId","channel")
);

-- AddForeignKey
ALTER TABLE "DeliveryTurn" ADD CONSTRAINT "DeliveryTurn_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
