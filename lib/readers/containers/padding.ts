import { ReadFailure } from "@/lib/readers/failure";

export type Compression = "gzip" | "zstd";

/** Reads what follows compressed data. NUL bytes fill up blocks of tapes and disks, and hold nothing. */
export async function onlyPadding(rest: AsyncIterable<Buffer>, compression: Compression): Promise<void> {
  for await (const chunk of rest) if (chunk.some((byte) => byte !== 0)) throw followed(compression);
}

/** The failure for data that are followed by something else than padding. */
export const followed = (compression: Compression): ReadFailure =>
  new ReadFailure(
    "archive_unsafe",
    `The ${compression} data is followed by other bytes. Fetch or compress the file again.`,
  );
