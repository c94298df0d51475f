import { open } from "node:fs/promises";
import type { BlobHandle } from "./object-store";

/** Opens a file as a blob. Rejects with the errno, EISDIR if it is not a file. */
export async function openFile(path: string): Promise<BlobHandle> {
  const file = await open(path, "r");
  const stats = await file.stat({ bigint: true }).catch(() => undefined);
  if (!stats?.isFile()) {
    await file.close();
    throw Object.assign(new Error("Not a file"), { code: "EISDIR" });
  }
  const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = stats;
  return {
    bytes: Number(size),
    fd: file.fd,
    read: (buffer, offset, length, position) => file.read(buffer, offset, length, position),
    // any write, truncation or replacement changes ctime, which no caller can reset
    identity: () => ({ mark: [dev, ino, size, mtimeNs, ctimeNs].join(":"), changedAtMs: Number(ctimeMs) }),
    close: () => file.close(),
  };
}
