-- CreateTable
CREATE TABLE "SecretFingerprint" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "value" TEXT NOT NULL,

    CONSTRAINT "SecretFingerprint_pkey" PRIMARY KEY ("id")
);
