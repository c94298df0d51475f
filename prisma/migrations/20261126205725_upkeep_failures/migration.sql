-- CreateTable
CREATE TABLE "UpkeepFailure" (
    "step" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "message" TEXT NOT NULL,

    CONSTRAINT "UpkeepFailure_pkey" PRIMARY KEY ("step")
);
