-- CreateTable
CREATE TABLE "Maintenance" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "message" TEXT NOT NULL,
    "retryAfterSeconds" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Maintenance_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "FillProgress" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "done" INTEGER NOT NULL,
    "total" INTEGER NOT NULL,
    "next" TEXT[],
    "isStopped" BOOLEAN NOT NULL,

    CONSTRAINT "FillProgress_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SealingKeyFingerprint" (
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "SealingKeyFingerprint_pkey" PRIMARY KEY ("name")
);
