-- CreateTable
CREATE TABLE "SourceSweep" (
    "id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "homepage" TEXT,
    "documentVersion" TEXT,
    "documentDigest" TEXT NOT NULL,
    "sweptAt" TIMESTAMPTZ(6) NOT NULL,
    "listed" INTEGER NOT NULL,

    CONSTRAINT "SourceSweep_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Source" (
    "sweepId" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "title" TEXT,
    "description" TEXT NOT NULL,
    "url" TEXT,
    "format" TEXT,
    "mediaType" TEXT,
    "bytes" BIGINT,
    "columns" TEXT[],
    "license" TEXT,
    "licenseUrl" TEXT,
    "origins" JSONB NOT NULL,
    "words" tsvector NOT NULL,

    CONSTRAINT "Source_pkey" PRIMARY KEY ("sweepId","position")
);

-- CreateIndex
CREATE INDEX "Source_words_idx" ON "Source" USING GIN ("words");

-- AddForeignKey
ALTER TABLE "Source" ADD CONSTRAINT "Source_sweepId_fkey" FOREIGN KEY ("sweepId") REFERENCES "SourceSweep"("id") ON DELETE CASCADE ON UPDATE CASCADE;
