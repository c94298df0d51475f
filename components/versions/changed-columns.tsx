import { ShareBars } from "@/components/profile/share-bars";
import { formatPlural } from "@/lib/kernel/format";
import type { Comparison } from "@/lib/schemas/comparison";

/** The columns in which rows of both versions changed, and how often. */
export function ChangedColumns({ rows }: { rows: NonNullable<Comparison["rows"]> }) {
  const { changed, unchanged } = rows;
  if (!changed) return null;
  const bars = rows.changed_columns.map(({ name, rows: count }) => ({ label: name, count, share: count / changed }));
  return (
    <section aria-labelledby="comparison-changed" className="comparison-part">
      <h3 id="comparison-changed">Changes by column</h3>
      <p className="mb-3 text-muted text-sm">
        Of {formatPlural(changed + unchanged, "row")} present in both versions, {formatPlural(changed, "row")} changed.
        Percentages are of the changed rows.
      </p>
      <div className="max-w-xs">
        <ShareBars label="Columns by changed rows" bars={bars} />
      </div>
    </section>
  );
}
