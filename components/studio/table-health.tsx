import { FreshnessLine } from "@/components/dataset/freshness-line";
import { Badge } from "@/components/ui/badge";
import type { TableDiagnosis } from "@/lib/operations/releases/diagnose-table";

interface Props {
  title: string;
  diagnosis: TableDiagnosis;
  /** When the table's releases were sealed. */
  releasedAt: readonly string[];
  now: Date;
}

/** Whether a table is current and, if not, why and what to do about it. */
export const TableHealth = ({ title, diagnosis: { freshness, findings, readings = [] }, releasedAt, now }: Props) => (
  <section aria-label={`Health of ${title}`} className="mb-8">
    <h3 className="mb-2 font-medium text-lg">{title}</h3>
    <FreshnessLine readings={{ freshness, sources: readings }} releasedAt={releasedAt} now={now} />
    {findings.length === 0 ? (
      <p className="mt-4 text-muted">No problems.</p>
    ) : (
      <ul className="mt-4 max-w-4xl divide-y divide-line border-line border-y">
        {findings.map(({ severity, code, message, fix }) => (
          <li key={`${code} ${message}`} className="flex items-baseline gap-x-3 py-3">
            <Badge tone={severity === "problem" ? "danger" : "info"}>
              {severity === "problem" ? "Problem" : "Notice"}
            </Badge>
            <span className="wrap-anywhere min-w-0 flex-1">
              {message}
              <span className="mt-1 block text-muted text-sm">{fix}</span>
            </span>
          </li>
        ))}
      </ul>
    )}
  </section>
);
