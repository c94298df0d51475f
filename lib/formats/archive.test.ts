import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { type ArchiveEntry, zipArchive } from "./archive";

const AT = new Date("2026-01-02T03:04:06Z");
const FIRST: ArchiveEntry = { name: "a.txt", bytes: Buffer.from("first") };
/** The end of an archive's directory, without which no program opens the file. */
const END = Buffer.from([0x50, 0x4b, 0x05, 0x06]);

/** The bytes received before the stream ended or failed, and the error. */
async function received(entries: readonly ArchiveEntry[]): Promise<{ bytes: Buffer; error: unknown }> {
  const chunks: Buffer[] = [];
  try {
    const { stream } = await zipArchive(entries, AT);
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
    return { bytes: Buffer.concat(chunks), error: undefined };
  } catch (error) {
    return { bytes: Buffer.concat(chunks), error };
  }
}

const readable = (lines: () => AsyncGenerator<Buffer>) => Readable.from(lines(), { objectMode: false });

async function* failing(): AsyncGenerator<Buffer> {
  yield Buffer.from("some");
  throw new Error("the storage is gone");
}

async function* whole(): AsyncGenerator<Buffer> {
  yield Buffer.from("some");
}

function closing(): Readable {
  const source = new Readable({ read: () => source.destroy() });
  return source;
}

test.each<[string, ArchiveEntry]>([
  ["fails", { name: "b", open: () => readable(failing) }],
  ["fails, its size known", { name: "b", sizeBytes: 9, open: () => readable(failing) }],
  ["closes before its end", { name: "b", open: closing }],
  ["has fewer bytes than it should", { name: "b", sizeBytes: 9, open: () => readable(whole) }],
])("if a source %s, the archive breaks off without its directory", async (_, entry) => {
  const { bytes, error } = await received([FIRST, entry, { name: "c", bytes: Buffer.from("last") }]);
  expect(error).toBeInstanceOf(Error);
  expect(bytes.includes(END)).toBe(false);
});

test("the archive's length is known if that of every file is", async () => {
  const sized = await zipArchive([FIRST, { name: "b", sizeBytes: 4, open: () => readable(whole) }], AT);
  let bytes = 0;
  for await (const chunk of sized.stream as AsyncIterable<Buffer>) bytes += chunk.length;
  expect(sized.sizeBytes).toBe(bytes);
  const { stream, sizeBytes } = await zipArchive([FIRST, { name: "b", open: () => readable(whole) }], AT);
  expect(sizeBytes).toBeUndefined();
  stream.destroy();
});
