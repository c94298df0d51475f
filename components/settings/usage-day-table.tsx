import { formatBytes, formatCount, formatDay } from "@/lib/format";
import type { Usage } from "@/lib/schemas/usage";

/** The chart in numbers, the newest day first; days without use are left out. */
export function UsageDayTable({ days }: { days: Usage["days"] }) {
  const used = days.filter(({ queries, downloads }) => queries + downloads > 0).reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard.
    <section aria-label="Usage by day" tabIndex={0} className="max-h-96 overflow-auto">
      <table className="fact-list">
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            <th scope="col" className="number">
              Queries
            </th>
            <th scope="col" className="number">
              Downloads
            </th>
            <th scope="col" className="number">
              Rows
            </th>
            <th scope="col" className="number">
              Data
            </th>
          </tr>
        </thead>
        <tbody>
          {used.map((day) => (
            <tr key={day.day}>
              <th scope="row">{formatDay(day.day)}</th>
              <td className="number">{formatCount(day.queries)}</td>
              <td className="number">{formatCount(day.downloads)}</td>
              <td className="number">{formatCount(day.rows)}</td>
              <td className="number">{formatBytes(day.bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
