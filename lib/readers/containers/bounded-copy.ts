import { open } from "node:fs/promises";
import { join } from "node:path";
import { ReadFailure } from "@/lib/readers/failure";

/** How much is unpacked. Without bounds, everything is. */
export interface Bounds {
  /** More than that from all sources together fails. */
  bytesMax?: number;
  /** Only the beginning of each source is wanted. */
  headBytes?: number;
  /** Whether one source may be very much larger than its compressed form. */
  hasAnyRatio?: boolean;
}

export interface Copied {
  path: string;
  bytes: number;
  /** False if there is more than `headBytes`. */
  isAll: boolean;
}

const RATIO_MAX = 1000;
const RATIO_FROM_BYTES = 10 * 1024 * 1024;

/** Writes unpacked data into numbered files, and counts all their bytes together. */
export class BoundedCopy {
  private count = 0;
  private bytes = 0;
  private readonly folder: string;
  private readonly bounds: Bounds;

  constructor(folder: string, bounds: Bounds) {
    this.folder = folder;
    this.bounds = bounds;
  }

  /** Fails with `archive_unsafe` where a bound is exceeded. `packedBytes` is the size of the compressed form. */
  async write(source: AsyncIterable<Buffer>, packedBytes = Number.POSITIVE_INFINITY): Promise<Copied> {
    this.count += 1;
    const path = join(this.folder, `${this.count}`);
    const { headBytes = Number.POSITIVE_INFINITY } = this.bounds;
    const file = await open(path, "wx");
    let bytes = 0;
    try {
      for await (const chunk of source) {
        const part = chunk.subarray(0, headBytes - bytes);
        bytes += part.length;
        this.bytes += part.length;
        this.check(bytes, packedBytes);
        await file.writeFile(part);
        if (part.length < chunk.length) return { path, bytes, isAll: false };
      }
      return { path, bytes, isAll: true };
    } finally {
      await file.close();
    }
  }

  private check(bytes: number, packedBytes: number): void {
    const { bytesMax = Number.POSITIVE_INFINITY, hasAnyRatio } = this.bounds;
    if (this.bytes > bytesMax)
      throw new ReadFailure("archive_unsafe", `The source unpacks to more than ${bytesMax} bytes.`);
    if (!hasAnyRatio && bytes > RATIO_FROM_BYTES && bytes > packedBytes * RATIO_MAX)
      throw new ReadFailure("archive_unsafe", `The source unpacks to more than ${RATIO_MAX} times its size.`);
  }
}
