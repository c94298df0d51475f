import { stat } from "node:fs/promises";

/** Changes whenever somebody writes the file, whatever times they set. */
export async function stampOf(path: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(" ");
}

/** Bytes of a file; 0 if there is none. */
export async function sizeOf(path: string): Promise<number> {
  return await stat(path).then(
    (found) => (found.isFile() ? found.size : 0),
    () => 0,
  );
}
