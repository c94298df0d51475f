import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ReadFailure } from "@/lib/readers/failure";

const RATIO_MAX = 1000;
const RATIO_FROM_BYTES = 10 * 1024 * 1024;

/** Writes unpacked data into numbered files, and counts all their bytes together. */
export class BoundedCopy {
  private count = 0;
  private bytes = 0;
  private readonly folder: string;
  private readonly bytesMax: number;

  constructor(folder: string, bytesMax: number) {
    this.folder = folder;
    this.bytesMax = bytesMax;
  }

  /** The new file's path. `packed` is the path of a compressed file, for its ratio, or a member's name. */
  async write(source: Readable, packed: string): Promise<string> {
    this.count += 1;
    const path = join(this.folder, `${this.count}`);
    const packedBytes = (await stat(packed).catch(() => undefined))?.size;
    try {
      await pipeline(source, this.counting(packedBytes), createWriteStream(path, { flags: "wx" }));
    } catch (error) {
      throw explained(error);
    }
    return path;
  }

  private counting(packedBytes: number | undefined): Transform {
    let own = 0;
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        own += chunk.length;
        this.bytes += chunk.length;
        done(this.faultOf(own, packedBytes), chunk);
      },
    });
  }

  private faultOf(own: number, packedBytes: number | undefined): ReadFailure | null {
    if (this.bytes > this.bytesMax)
      return new ReadFailure("archive_unsafe", `The source unpacks to more than ${this.bytesMax} bytes.`);
    if (packedBytes !== undefined && own > RATIO_FROM_BYTES && own > packedBytes * RATIO_MAX)
      return new ReadFailure("archive_unsafe", `The source unpacks to more than ${RATIO_MAX} times its size.`);
    return null;
  }
}

function explained(error: unknown): unknown {
  if (error instanceof ReadFailure || !(error instanceof Error)) return error;
  const { code = "" } = error as NodeJS.ErrnoException;
  if (/^E(?:NOSPC|DQUOT|FBIG)$/.test(code)) return new ReadFailure("disk_exceeded", "The run's disk space is used up.");
  if (code.startsWith("E")) return error;
  return new ReadFailure("archive_unsafe", `The source cannot be unpacked: ${error.message.slice(0, 200)}.`);
}
