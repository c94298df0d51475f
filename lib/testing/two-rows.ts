import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publishTable } from "@/lib/publish/publish";

/** Publishes a table of two rows; its id. */
export async function publishTwoRows(slug: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-two-rows-"));
  const file = join(folder, "rows.csv");
  writeFileSync(file, "id,name\n1,a\n2,b\n");
  const dataset = {
    slug,
    title: slug,
    summary: "",
    description: "",
    publisher: { name: "Agency" },
    license: "CC0-1.0",
    topics: ["water"],
  };
  const { table_id: id } = await publishTable(
    { file, dataset, table: { slug: "rows", name: "Rows" } },
    { now: () => new Date() },
  );
  rmSync(folder, { recursive: true });
  return id;
}
