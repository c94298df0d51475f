import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { formatBytes, formatCount, formatDay } from "@/lib/kernel/format";
import type { Usage } from "@/lib/schemas/usage";

type Day = Usage["days"][number];

const COLUMNS: readonly DataColumn<Day>[] = [
  { id: "day", head: "Day (UTC)", cell: ({ day }) => formatDay(day) },
  { id: "queries", head: "Queries", isNumber: true, cell: ({ queries }) => formatCount(queries) },
  { id: "downloads", head: "Downloads", isNumber: true, cell: ({ downloads }) => formatCount(downloads) },
  { id: "rows", head: "Rows", isNumber: true, cell: ({ rows }) => formatCount(rows) },
  { id: "data", head: "Data", isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
];

/** The chart in numbers, the newest day first; days without use are left out. */
export function UsageDayTable({ days }: { days: readonly Day[] }) {
  const used = days.filter(({ queries, downloads }) => queries + downloads > 0).reverse();
  return <DataTable label="Usage by day" columns={COLUMNS} rows={used} keyOf={({ day }) => day} scrolls="max-h-96" />;
}
