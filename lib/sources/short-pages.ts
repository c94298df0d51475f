import { formatCount } from "@/lib/kernel/format";
import type { Pages } from "@/lib/schemas/recipe-source";
import type { PagesWarning } from "./read-pages";
import { SourceFailure } from "./source-failure";

const PAGES_SHOWN = 5;

/**
 * Pages before the last one that have fewer records than another page, or than were requested. Offsets that advance by
 * more records than every page has would leave rows out between the pages, which is a failure.
 */
export function shortPages(pages: Pages, counts: readonly number[]): PagesWarning[] {
  const size = "size" in pages ? pages.size : undefined;
  const inner = counts.slice(0, -1);
  const [first] = inner;
  if (pages.by === "offset" && first !== undefined && first < pages.size && inner.every((count) => count === first))
    throw new SourceFailure(
      "pages_incomplete",
      `Every page has ${first} records, but offsets advance by ${pages.size}, which leaves rows out between pages. ` +
        `Set size to ${first}.`,
    );
  const full = counts.reduce((most, count) => Math.max(most, count), size ?? 0);
  const isCapped = size !== undefined && inner.every((count) => count === first);
  const short = isCapped ? [] : inner.flatMap((count, at) => (count < full ? [{ page: at + 1, count }] : []));
  if (short.length === 0) return [];
  const shown = short.slice(0, PAGES_SHOWN).map(({ page, count }) => `page ${page} has ${formatCount(count)}`);
  const more = short.length > PAGES_SHOWN ? `, and ${formatCount(short.length - PAGES_SHOWN)} more` : "";
  return [
    {
      warning: "pages_short",
      message:
        `Of ${formatCount(counts.length)} pages, ${formatCount(short.length)} before the last ` +
        `${short.length === 1 ? "is" : "are"} short of ${formatCount(full)} records: ${shown.join(", ")}${more}. ` +
        "Compare the number of rows with the source.",
    },
  ];
}
