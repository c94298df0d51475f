import { ArrowLeft, ArrowRight } from "lucide-react";
import { tableSegment } from "@/lib/describe/links";
import { formatCount } from "@/lib/kernel/format";
import { rowUrl } from "@/lib/view/view-address";

interface Props {
  slug: string;
  table: string;
  position: number;
  rows: number;
  versionId: string;
}

/** Links to the previous and next rows, and a field to go to any row by number. Works without JavaScript. */
export function RowSteps({ slug, table, position, rows, versionId }: Props) {
  const to = (place: number) => rowUrl(slug, table, place, versionId);
  return (
    <nav aria-label="Rows" className="mt-6 flex flex-wrap items-center gap-2">
      {position > 1 && (
        <a className="button" href={to(position - 1)} rel="prev nofollow">
          <ArrowLeft size={16} aria-hidden="true" />
          Previous
        </a>
      )}
      {position < rows && (
        <a className="button" href={to(position + 1)} rel="next nofollow">
          Next
          <ArrowRight size={16} aria-hidden="true" />
        </a>
      )}
      <form action={`/datasets/${slug}/${tableSegment(table)}/rows`} className="flex items-center gap-2">
        <input type="hidden" name="version" value={versionId} />
        <label htmlFor="row" className="text-muted text-sm sm:ml-3">
          Go to row
        </label>
        <input
          id="row"
          name="row"
          className="field w-36 tabular-nums"
          inputMode="numeric"
          autoComplete="off"
          required
          placeholder={`1 to ${formatCount(rows)}`}
        />
        <button type="submit" className="button">
          Go
        </button>
      </form>
    </nav>
  );
}
