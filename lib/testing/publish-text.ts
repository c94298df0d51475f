import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publishTable } from "@/lib/publish/publish";
import type { PublishReceipt, PublishRequest } from "@/lib/schemas/publish";

interface Options extends Pick<PublishRequest, "columns" | "publishedAt" | "primaryKey"> {
  /** Extension of the file's name, which determines its format. */
  extension?: string;
  topics?: string[];
}

/** Publishes a file of this text as the table `rows` of a dataset. */
export async function publishText(
  slug: string,
  text: string,
  { extension = "csv", topics = [], ...more }: Options = {},
): Promise<PublishReceipt> {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-text-"));
  const file = join(folder, `rows.${extension}`);
  writeFileSync(file, text);
  try {
    return await publishFile(slug, file, { topics, ...more });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Publishes a file as the table `rows` of a dataset. */
export function publishFile(
  slug: string,
  file: string,
  { topics = [], ...more }: Omit<Options, "extension"> = {},
): Promise<PublishReceipt> {
  const dataset = {
    slug,
    title: slug,
    summary: "",
    description: "",
    publisher: { name: "Agency" },
    license: "CC0-1.0",
    topics,
  };
  const table = { slug: "rows", name: "Rows" };
  return publishTable({ file, dataset, table, ...more }, { now: () => new Date() });
}
