import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { versionToRead } from "./read-sources";

useTestState();

test("a table beyond its source's own limits ends the run; a sample reads only the beginning", async () => {
  await publishText("limited-table", "a\n1\n2\n");
  const read = (limits: { rows?: number; download_bytes?: number }, mode: "sample" | "full" = "full") =>
    versionToRead(
      { name: "other", table: "limited-table/rows", version: "current", limits },
      { run: { workspaceId: randomUUID() }, mode },
    );
  await expect(read({ rows: 1 })).rejects.toMatchObject({
    code: "rows_exceeded",
    message: "Source other: 2 rows, more than 1.",
  });
  await expect(read({ download_bytes: 10 }, "sample")).rejects.toMatchObject({ code: "source_too_large" });
  for (const found of [await read({ rows: 1 }, "sample"), await read({ rows: 2, download_bytes: 100_000 })])
    expect(found.rows).toBe(2);
});
