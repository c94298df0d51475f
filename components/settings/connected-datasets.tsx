import Link from "next/link";
import { RelativeTime } from "@/components/relative-time";
import { formatDay } from "@/lib/format";
import type { Connections } from "@/lib/schemas/usage";

/** Public datasets that the workspace's keys read, newest first. */
export function ConnectedDatasets({ datasets, now }: { datasets: Connections["datasets"]; now: Date }) {
  if (datasets.length === 0)
    return (
      <p className="max-w-prose text-muted text-sm">
        None yet. Pick one from the{" "}
        <Link href="/datasets" prefetch={false} className="link">
          directory
        </Link>{" "}
        and query or download a table of it with a key.
      </p>
    );
  const today = now.toISOString().slice(0, 10);
  return (
    <table className="fact-list">
      <caption className="sr-only">Connected datasets</caption>
      <thead>
        <tr>
          <th scope="col">Dataset</th>
          <th scope="col">Connected</th>
          <th scope="col">Last read</th>
        </tr>
      </thead>
      <tbody>
        {datasets.map(({ slug, title, connected_at, last_read }) => (
          <tr key={slug ?? connected_at}>
            <th scope="row" className="w-full">
              {slug === null ? (
                <span className="text-muted">A dataset that can no longer be read</span>
              ) : (
                <Link href={`/datasets/${slug}`} prefetch={false} className="link font-medium">
                  {title}
                </Link>
              )}
            </th>
            <td className="whitespace-nowrap">
              <RelativeTime at={connected_at} now={now} />
            </td>
            <td className="whitespace-nowrap">
              {last_read === null ? <span className="text-faint">never</span> : last_read === today ? "today" : formatDay(last_read)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
