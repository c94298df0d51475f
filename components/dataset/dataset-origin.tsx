import type { ReactNode } from "react";
import { CopiedId } from "@/components/ui/copied-id";
import { formatBytes, formatCount, formatUtc } from "@/lib/kernel/format";
import type { Column } from "@/lib/schemas/column";
import type { Dataset } from "@/lib/schemas/dataset";
import type { Lineage } from "@/lib/schemas/lineage";
import type { Version } from "@/lib/schemas/table";
import { BuiltOrigin } from "./built-origin";

interface Props {
  sources: Dataset["sources"];
  /** The version that the checks are listed for. */
  built: Version;
  /** Null if no recipe made it. */
  lineage: Lineage["built"];
}

/** How a version was created: its sources, what was done, and what was checked. Lists only what is recorded. */
export function DatasetOrigin({ sources, built, lineage }: Props) {
  if (lineage) return <BuiltOrigin built={lineage} version={built.version} />;
  return (
    <div className="grid gap-x-14 gap-y-8 lg:grid-cols-2">
      <Block title="Sources">
        {sources.length === 0 ? (
          <p className="text-muted">No sources named by the publisher.</p>
        ) : (
          <ul className="space-y-1.5">
            {sources.map(({ name, url }) => (
              <li key={name}>
                {url ? (
                  <a className="link" href={url}>
                    {name}
                  </a>
                ) : (
                  name
                )}
              </li>
            ))}
          </ul>
        )}
        <p className="mt-3 text-muted">
          The publisher prepared this file from the sources above. There is no automated recipe, and the sources aren’t
          re-checked.
        </p>
      </Block>
      <Block title="Checked at publication">
        <ul className="space-y-1.5">
          {checksOf(built).map((check) => (
            <li key={check} className="grid grid-cols-[1.25rem_minmax(0,1fr)]">
              <span aria-hidden="true" className="text-accent">
                ✓
              </span>
              {check}
            </li>
          ))}
        </ul>
        <p className="mt-3 text-muted">Sealed {formatUtc(built.version.published_at)} as</p>
        <CopiedId text={built.version.content_digest} label="digest" />
        <p className="mt-1 text-muted">Each download is verified against this checksum before it is sent.</p>
      </Block>
    </div>
  );
}

const Block = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="min-w-0 text-sm">
    <h3 className="mb-2 text-base">{title}</h3>
    {children}
  </div>
);

function checksOf({ version, columns }: Version): string[] {
  const key = version.primary_key;
  const sorted = version.order_by;
  const unique = columns
    .filter((column) => !key.includes(column.name) && tellsRowsApart(column, version.rows))
    .map(({ name }) => name);
  const full = columns.filter(({ profile }) => profile.null_count === 0).length;
  return [
    `${formatCount(version.rows)} rows, ${formatCount(columns.length)} columns, ${formatBytes(version.bytes)}`,
    "Every value matches its column type (otherwise the file is rejected)",
    ...(key.length > 0 ? [`Primary key ${key.join(", ")}: unique, no nulls`] : []),
    ...(unique.length > 0 ? [`All values are distinct in ${unique.join(", ")}`] : []),
    full === columns.length
      ? "No column contains nulls"
      : `${formatCount(full)} of ${formatCount(columns.length)} columns contain no nulls`,
    sorted.length > 0 ? `Sorted by ${sorted.join(", ")}` : "In the publisher’s file order",
    "Column profiles are computed over all rows",
  ];
}

const tellsRowsApart = ({ profile }: Column, rows: number): boolean =>
  rows > 1 &&
  profile.null_count === 0 &&
  profile.distinct_count?.exact === true &&
  profile.distinct_count.value === rows;
