import { gunzipSync, gzipSync } from "node:zlib";
import type { BlobHandle } from "@/lib/storage/object-store";
import { type Held, MemoryObjects } from "./memory-objects";

const READ_BYTES_MAX = 50_000;

/**
 * A storage driver that the service does not have, and that guarantees as little as a driver may: objects are stored in
 * a different encoding, reads are short, and nothing identifies what is stored.
 */
export class PackedObjects extends MemoryObjects {
  protected override encode(bytes: Buffer): Buffer {
    return gzipSync(bytes, { level: 1 });
  }

  protected override handleOf({ stored }: Held): BlobHandle {
    const bytes = gunzipSync(stored);
    return {
      bytes: bytes.length,
      read: async (buffer, offset, length, position) => {
        const end = position + Math.min(length, READ_BYTES_MAX);
        return { bytesRead: bytes.copy(buffer, offset, Math.min(position, bytes.length), end) };
      },
      identity: () => undefined,
      close: async () => undefined,
    };
  }
}
