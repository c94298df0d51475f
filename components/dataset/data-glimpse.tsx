import Link from "next/link";
import { Histogram } from "@/components/profile/histogram";
import { unitText } from "@/components/values/unit-text";
import { formatPlural } from "@/lib/kernel/format";
import type { Column } from "@/lib/schemas/column";

const SHOWN = 4;

/** An overview of a dataset: the distributions of a few of its columns. Nothing if too few can be drawn. */
export function DataGlimpse({
  title,
  slug,
  rows,
  columns,
}: {
  title: string;
  slug: string;
  rows: number;
  columns: readonly Column[];
}) {
  const drawn = columns
    .filter((column) => (column.profile.histogram?.counts.filter((count) => count > 0).length ?? 0) > 2)
    .slice(0, SHOWN);
  if (drawn.length < 2) return null;
  return (
    <figure className="hidden self-center rounded-lg border border-line bg-paper p-5 lg:block">
      <ul className="space-y-4">
        {drawn.map((column) => (
          <li key={column.name}>
            <p className="mb-1.5 flex items-baseline justify-between gap-3 text-xs">
              <span className="font-medium font-mono">{column.name}</span>
              <span className="text-faint">{column.unit && unitText(column.unit)}</span>
            </p>
            <Histogram column={column} rows={rows} />
          </li>
        ))}
      </ul>
      <figcaption className="mt-4 border-line border-t pt-3 text-muted text-xs">
        <Link href={`/datasets/${slug}`} className="link">
          {title}
        </Link>
        , all {formatPlural(rows, "row")}
      </figcaption>
    </figure>
  );
}
