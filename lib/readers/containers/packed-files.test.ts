import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tar } from "@/lib/kernel/tar";
import { ReadFailure } from "@/lib/readers/failure";
import { ARCHIVES, COMPRESSED, type PackedFile } from "@/lib/testing/ugly-files/packed-files";
import { workbook, zipped } from "@/lib/testing/ugly-files/workbook";
import { BoundedCopy } from "./bounded-copy";
import { unpack } from "./containers";
import { openSource as openInspected } from "./opened-source";
import { openSource as openPublished } from "./source-file";
import { unreadFormat } from "./unread-formats";

const BYTES_MAX = 1 << 20;
let root: string;
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "packed-files-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function written({ bytes, file = "data.csv" }: PackedFile) {
  count += 1;
  const folder = join(root, `${count}`);
  await mkdir(join(folder, "unpacked"), { recursive: true });
  const path = join(folder, file);
  await writeFile(path, typeof bytes === "function" ? await bytes() : bytes);
  return { path, folder: join(folder, "unpacked"), name: file };
}

/** What a run reads. */
async function inRun(file: PackedFile): Promise<string> {
  const { path, folder } = await written(file);
  const copy = new BoundedCopy(folder, { bytesMax: BYTES_MAX });
  const archive = file.archive && { kind: "auto" as const, expect: "one" as const, ...file.archive };
  const files = await unpack(path, { copy, archive, unpackedBytes: BYTES_MAX, isWorkbook: false });
  return (await Promise.all(files.map((each) => readFile(each.path, "utf8")))).join("");
}

async function inPublishing(file: PackedFile): Promise<string> {
  const { path, folder } = await written(file);
  return await readFile((await openPublished(path, "csv", folder)).path, "utf8");
}

/** What an inspection looks at, of a whole file or of the beginning of one. */
async function inInspection(file: PackedFile, isWhole = true) {
  const { path, folder, name } = await written(file);
  const bounds = { headBytes: BYTES_MAX, unpackedBytes: BYTES_MAX };
  const opened = await openInspected({ folder, path, name, isWhole, member: undefined, ...bounds });
  return { ...opened, bytes: await readFile(opened.path) };
}

async function failureOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(ReadFailure);
  const { code, message } = failure as ReadFailure;
  return { code, message };
}

const all = [...COMPRESSED, ...ARCHIVES].map((file) => [file.name, file] as const);

test.each(all)("a run: %s", async (_, file) => {
  if (!file.refused) return expect(await inRun(file)).toBe(file.content);
  const { code, words } = file.refused;
  expect(await failureOf(inRun(file))).toEqual({ code, message: expect.stringMatching(words) });
});

test.each(all)("publishing: %s", async (_, file) => {
  const words = file.unpublished ?? file.refused?.words;
  if (!words) return expect(await inPublishing(file)).toBe(file.content);
  const { message } = await failureOf(inPublishing(file));
  expect(message).toMatch(words);
  expect(message).toContain(file.file ?? "data.csv");
});

test.each(all)("an inspection: %s", async (_, file) => {
  if (file.chosen === undefined && file.refused && file.refused.code !== "reader_mismatch") {
    const { code, words } = file.refused;
    expect(await failureOf(inInspection(file))).toEqual({ code, message: expect.stringMatching(words) });
    return;
  }
  const { bytes, containers, isWhole } = await inInspection(file);
  if (file.chosen !== undefined)
    expect(containers.find(({ kind }) => kind === "zip" || kind === "tar")?.chosen).toBe(file.chosen);
  if (file.content !== undefined && file.chosen !== null)
    expect({ text: bytes.toString(), isWhole }).toEqual({ text: file.content, isWhole: true });
  if (file.refused?.code === "reader_mismatch") expect(unreadFormat(bytes)?.is).toMatch(file.refused.words);
});

describe("the beginning of a compressed file is inspected as far as it goes:", () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `${at},${(at * 7919) % 9973}\n`).join("");
  test.each(["gzip", "zstd"])("%s", async (kind) => {
    const packed = kind === "gzip" ? gzipSync(lines) : zstdCompressSync(lines);
    const { bytes, isWhole } = await inInspection({ name: kind, bytes: packed.subarray(0, packed.length - 5) }, false);
    expect(bytes.length).toBeGreaterThan(10_000);
    expect(lines.startsWith(bytes.toString())).toBe(true);
    expect(isWhole).toBe(false);
  });
});

test("an archive of which only the beginning was unpacked is not taken for a table", async () => {
  const bytes = tar([["data.csv", Buffer.alloc(5000, "1\n")]]).subarray(0, 3000);
  expect(await inInspection({ name: "tar", bytes }, false)).toMatchObject({ isWhole: false, containers: [] });
});

test("a workbook is not taken for an archive", async () => {
  const file = { name: "workbook", file: "x.xlsx", bytes: () => workbook({ sheets: [{ name: "S", data: "" }] }) };
  expect((await failureOf(inRun(file))).message).toBe("The source is a workbook. Use the reader xlsx.");
  expect((await failureOf(inPublishing(file))).message).toMatch(/^x.xlsx is a workbook/);
  expect((await inInspection(file)).containers).toEqual([]);
  const other = { ...file, bytes: () => zipped({ "[Content_Types].xml": "", "word/document.xml": "" }) };
  expect((await failureOf(inPublishing(other))).message).toMatch(/^x.xlsx is a zip archive/);
});

test("damage is refused wherever a chunk ends", async () => {
  for (const packed of [gzipSync(Buffer.alloc(300_000, "ab\n")), zstdCompressSync(Buffer.alloc(300_000, "ab\n"))]) {
    // so that the end lies around the border of a chunk that is read
    const padding = 256 * 1024 - (packed.length % (256 * 1024));
    for (const size of [padding - 1, padding, padding + 1]) {
      const file = { name: "x", bytes: Buffer.concat([packed, Buffer.alloc(size)]) };
      expect((await inRun(file)).length).toBe(300_000);
      const followed = { ...file, bytes: Buffer.concat([file.bytes, Buffer.from("x")]) };
      expect((await failureOf(inRun(followed))).message).toMatch(/followed by other bytes/);
    }
  }
});
