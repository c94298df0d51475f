import { publishTable } from "@/lib/publish/publish";
import { closeDatabase } from "@/lib/store/database";

/**
 * A process of its own that publishes a file: `publish-file.ts <file> <dataset> [order column]`. Prints each step, then
 * the receipt.
 */
const [file = "", dataset = "", ...orderBy] = process.argv.slice(2);
const about = {
  slug: dataset,
  title: "T",
  summary: "s",
  description: "d",
  publisher: { name: "P" },
  license: "MIT",
  topics: [],
};
const progress = (text: string) => process.stdout.write(`${Math.round(performance.now())} ${text}\n`);
try {
  const receipt = await publishTable(
    { file, dataset: about, table: { slug: "t", name: "T" }, orderBy },
    { now: () => new Date(), progress },
  );
  progress(JSON.stringify(receipt));
} finally {
  await closeDatabase();
}
