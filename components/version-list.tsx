import { formatBytes, formatCount, formatDay } from "@/lib/format";
import type { Versions } from "@/lib/schemas/table";
import { CopiedId } from "./copied-id";
import { RelativeTime } from "./relative-time";

const CHANGES: Record<Versions["versions"][number]["change"], string> = {
  first: "First version",
  appended: "Rows added",
  restated: "Rows changed",
  columns_added: "Columns added",
  breaking: "Columns changed",
  metadata: "Descriptions changed",
};

const DIGEST_SHOWN = 19;

/** A table's versions, newest first. */
export function VersionList({ versions, label, now }: { versions: Versions["versions"]; label: string; now: Date }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard.
    <section aria-label={label} tabIndex={0} className="relative overflow-x-auto">
      <table className="w-full min-w-[46rem] border-collapse text-sm">
        <thead>
          <tr className="border-line border-b text-left text-muted text-xs">
            <th scope="col" className="py-2 pr-4 font-medium">
              Published
            </th>
            <th scope="col" className="py-2 pr-4 font-medium">
              Change
            </th>
            <th scope="col" className="py-2 pr-4 text-right font-medium">
              Rows
            </th>
            <th scope="col" className="py-2 pr-4 text-right font-medium">
              Size
            </th>
            <th scope="col" className="py-2 pr-4 font-medium">
              Version id
            </th>
            <th scope="col" className="py-2 font-medium">
              Digest
            </th>
          </tr>
        </thead>
        <tbody className="tabular-nums">
          {versions.map((version) => (
            <tr key={version.version_id} id={version.version_id} className="border-line border-b target:bg-accent-soft">
              <td className="whitespace-nowrap py-1.5 pr-4">
                {formatDay(version.published_at)}{" "}
                <span className="text-faint text-xs">
                  <RelativeTime at={version.published_at} now={now} />
                </span>
              </td>
              <td className="whitespace-nowrap py-1.5 pr-4">{CHANGES[version.change]}</td>
              <td className="py-1.5 pr-4 text-right">{formatCount(version.rows)}</td>
              <td className="whitespace-nowrap py-1.5 pr-4 text-right">{formatBytes(version.bytes)}</td>
              <td className="py-1.5 pr-4">
                <CopiedId text={version.version_id} shown={version.version_id.slice(0, 8)} label="version id" />
              </td>
              <td className="py-1.5">
                <CopiedId text={version.content_digest} shown={`${version.content_digest.slice(0, DIGEST_SHOWN)}…`} label="digest" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
