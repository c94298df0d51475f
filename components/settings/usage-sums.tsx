import { formatBytes, formatCount } from "@/lib/kernel/format";
import type { Usage } from "@/lib/schemas/usage";
import { sumCounts } from "./usage-drawing";

const MONTH = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });

const FIGURES = [
  { field: "queries", title: "Queries", format: formatCount },
  { field: "downloads", title: "Downloads", format: formatCount },
  { field: "rows", title: "Rows read", format: formatCount },
  { field: "bytes", title: "Data", format: formatBytes },
] as const;

/** Today and this month, in UTC. The days must reach back to the first of the month. */
export function UsageSums({ usage: { days, to, total } }: { usage: Pick<Usage, "days" | "to" | "total"> }) {
  const month = sumCounts(days.filter(({ day }) => day.slice(0, 7) === to.slice(0, 7)));
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-4">
      {FIGURES.map(({ field, title, format }) => (
        <div key={field} className="min-w-0 bg-paper px-4 py-3">
          <dt className="text-muted text-xs">{title}</dt>
          <dd className="mt-1 font-semibold text-2xl tabular-nums tracking-tight">
            {format(total.today[field])} <span className="font-normal text-muted text-xs tracking-normal">today</span>
          </dd>
          <dd className="text-muted text-xs tabular-nums sm:text-sm">
            {format(month[field])} in {MONTH.format(new Date(to))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
