import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { tar } from "@/lib/kernel/tar";
import { csv, type Given, useSandbox } from "@/lib/testing/sandbox-runs";
import { zipped } from "@/lib/testing/ugly-files/workbook";

const { failureOf } = useSandbox();

describe("bombs end within their limits:", () => {
  const zeros = Buffer.alloc(200 * 2 ** 20);
  const archive = { member: "*" };
  const cases: Record<string, () => Promise<Given>> = {
    "archive_unsafe: gzip": async () => ({ format: "csv", raw: [gzipSync(zeros)] }),
    "archive_unsafe: zstd": async () => ({ format: "csv", raw: [zstdCompressSync(zeros)] }),
    "archive_unsafe: zip": async () => ({ format: "csv", archive, raw: [await zipped({ a: zeros })] }),
    "archive_unsafe: xlsx": async () => ({ format: "xlsx", raw: [await zipped({ "xl/workbook.xml": zeros })] }),
    "archive_unsafe: a zip that lies about its size": async () => ({
      format: "csv",
      archive,
      raw: [lyingSize(await zipped({ a: Buffer.alloc(2 ** 20, "x") }), 10)],
    }),
    "archive_unsafe: a link in a tar": async () => ({ format: "csv", archive, raw: [tar([["a", csv("x")]], "2")] }),
    "reader_mismatch: JSON of brackets": async () => ({
      format: "json",
      options: { records: "" },
      raw: [Buffer.from("[".repeat(1_000_000))],
    }),
    "reader_mismatch: a quote that is never closed": async () => ({
      format: "csv",
      raw: [Buffer.concat([csv("a"), Buffer.from(`"${"x".repeat(3_000_000)}`)])],
    }),
    "rows_exceeded: rows": async () => ({
      format: "csv",
      raw: [Buffer.from(`a\n${"1\n".repeat(200_000)}`)],
      limits: { rows: 100_000 },
    }),
    "rows_exceeded: rows of a source that may have fewer": async () => ({
      format: "csv",
      raw: [csv("a", "1", "2", "3")],
      sourceLimits: { rows: 2 },
    }),
    "archive_unsafe: a source that may unpack to less": async () => ({
      format: "csv",
      raw: [gzipSync(Buffer.alloc(2 ** 20, "1\n"))],
      sourceLimits: { unpacked_bytes: 2 ** 19 },
    }),
    "disk_exceeded: cells that are larger than their source": async () => ({
      format: "csv",
      options: { ragged: "pad" },
      raw: [Buffer.from(`${Array.from({ length: 2000 }, (_, at) => `c${at}`).join(",")}\n${"1\n".repeat(20_000)}`)],
      limits: { diskMb: 8 },
    }),
    "memory_exceeded: one record of many small values": async () => ({
      format: "json",
      options: { records: "" },
      raw: [Buffer.from(`[{"a":[${"{},".repeat(12_000_000)}{}]}]`)],
    }),
    // six million rows take longer on any machine than the interval at which the clock is checked
    "time_exceeded: more rows than its time is enough for": async () => ({
      format: "csv",
      raw: [Buffer.from(`a,b,c\n${"1,2,3\n".repeat(6_000_000)}`)],
      limits: { seconds: 0, rows: 2 ** 30 },
    }),
  };
  for (const [name, given] of Object.entries(cases))
    test(name, async () => expect((await failureOf(await given())).code).toBe(name.split(":")[0]));
});

/** A zip whose directory states an unpacked size that differs from its member's. */
function lyingSize(zip: Buffer, bytes: number): Buffer {
  const lying = Buffer.from(zip);
  for (let at = lying.indexOf("PK\x01\x02"); at >= 0; at = lying.indexOf("PK\x01\x02", at + 4))
    lying.writeUInt32LE(bytes, at + 24);
  return lying;
}
