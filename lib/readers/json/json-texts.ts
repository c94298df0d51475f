import { open } from "node:fs/promises";
import { fileChunks } from "@/lib/readers/containers/file-chunks";
import { BadBytes, decode } from "@/lib/readers/delimited/decode";
import { mismatch, ReadFailure } from "@/lib/readers/failure";

export interface JsonFile {
  path: string;
  chunkBytes: number;
  /** Whether the file is only the start of its source, so that its last character may be cut off. */
  isCut: boolean;
}

const CHARACTER_BYTES_MAX = 4;

/** The text of a JSON file, which is UTF-8. Rejects other encodings, and names the line of bad bytes. */
export async function* jsonTexts({ path, chunkBytes, isCut }: JsonFile): AsyncGenerator<string> {
  await refuseWide(path);
  const chunks = await fileChunks(path, chunkBytes);
  let line = 1;
  try {
    for await (const text of decode(isCut ? wholeCharacters(chunks) : chunks, "utf-8", "error").texts) {
      yield text;
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) line += 1;
    }
  } catch (error) {
    if (!(error instanceof BadBytes)) throw error;
    const message = `Line ${line}: bytes that are not UTF-8, in which JSON is written. Save the file as UTF-8.`;
    throw new ReadFailure("encoding_invalid", message, { row: line });
  }
}

/** UTF-16 and UTF-32 write the first sign of JSON with a byte of zero, or begin with a mark. */
async function refuseWide(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    const [first, second] = buffer;
    const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
    if (bytesRead < 2 || !(isMarked || first === 0 || second === 0)) return;
    throw mismatch("The file is not UTF-8 but UTF-16, or binary. JSON is written in UTF-8: save the file as UTF-8.");
  } finally {
    await file.close();
  }
}

/** The chunks up to the last complete character. */
async function* wholeCharacters(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk;
    const end = bytes.length - openBytes(bytes);
    pending = bytes.subarray(end);
    yield bytes.subarray(0, end);
  }
}

/** The number of bytes at the end that begin a character without completing it. */
function openBytes(bytes: Buffer): number {
  const last = bytes.subarray(-CHARACTER_BYTES_MAX);
  const at = last.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0);
  const first = last[at] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return length > last.length - at ? last.length - at : 0;
}
