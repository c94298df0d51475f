import { formatPlural } from "@/lib/kernel/format";
import type { Dataset } from "@/lib/schemas/dataset";
import { cutText, drawableText } from "./drawable-text";
import type { PictureText } from "./picture";
import { profileBars } from "./profile-bars";

const TITLE_MOST = 72;
const SUMMARY_MOST = 130;
const FACT_MOST = 44;

/** What a dataset's picture shows: title, publisher, licence, size, and one column's profile. */
export function datasetPicture(dataset: Dataset): PictureText {
  const { title, slug, summary, publisher, license, tables } = dataset;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const bars = profileBars(dataset);
  return {
    title: cutText(drawableText(title, slug), TITLE_MOST),
    summary: cutText(drawableText(summary, ""), SUMMARY_MOST),
    facts: [
      cutText(drawableText(publisher.name, publisher.slug), FACT_MOST),
      cutText(drawableText(license, "Licence on the page"), FACT_MOST),
      formatPlural(rows, "row"),
      ...(tables.length > 1 ? [formatPlural(tables.length, "table")] : []),
    ],
    bars: bars && { ...bars, label: cutText(drawableText(bars.label, ""), FACT_MOST) },
  };
}
