import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { formatBytes, formatCount, formatPlural } from "@/lib/kernel/format";
import type { getBuildUsage } from "@/lib/operations/runs/get-build-usage";

type Usage = Awaited<ReturnType<typeof getBuildUsage.run>>;

interface Line {
  name: string;
  note?: string;
  used: string;
  /** Null: unlimited. */
  most: string | null;
}

/** What a workspace's builds have used today and store on disk, each next to its limit. */
export const BuildUsage = ({ usage }: { usage: Usage }) => (
  <DataTable label="Usage" columns={COLUMNS} rows={linesOf(usage)} keyOf={({ name }) => name} />
);

const COLUMNS: readonly DataColumn<Line>[] = [
  {
    id: "name",
    head: "What",
    isRest: true,
    cell: ({ name, note }) => (
      <>
        {name}
        {note && <span className="block font-normal text-muted text-xs">{note}</span>}
      </>
    ),
  },
  { id: "used", head: "Used", isNumber: true, cell: ({ used }) => used },
  { id: "most", head: "Limit", isNumber: true, cell: ({ most }) => most ?? <span className="text-faint">none</span> },
];

function linesOf({ datasets, runs_today, fetched_today, uploads, snapshots, versions }: Usage): Line[] {
  const counted = ({ used, most }: Usage["datasets"]) => ({ used: formatCount(used), most: formatCount(most) });
  const stored = ({ used, most }: Usage["uploads"]) => ({
    used: formatBytes(used),
    most: formatBytes(most),
  });
  const files = formatPlural(snapshots.files, "file");
  return [
    { name: "Datasets", ...counted(datasets) },
    { name: "Runs today", note: "Counted from midnight UTC", ...counted(runs_today) },
    { name: "Read from sources today", ...stored(fetched_today) },
    { name: "Uploads", ...stored(uploads) },
    {
      name: "Snapshots",
      note: `${files} as received from sources; ${formatBytes(snapshots.pinned)} needed by recipes`,
      ...stored(snapshots),
    },
    {
      name: "Versions",
      note: formatPlural(versions.files, "Parquet file"),
      used: formatBytes(versions.bytes),
      most: null,
    },
  ];
}
