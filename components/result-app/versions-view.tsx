import { Chart } from "@/components/chart/chart";
import type { ChartColumn, ChartRow } from "@/components/chart/chart-spec";
import { RowsTable } from "@/components/embed/rows-table";
import type { VersionsResult } from "./app-result";
import { ResultFrame } from "./result-frame";

const text = (name: string): ChartColumn => ({ name, type: "string" });
const NUMBER: ChartColumn = { name: "number", type: "int64" };
const PUBLISHED: ChartColumn = { name: "published_at", type: "timestamp" };
const ROWS: ChartColumn = { name: "rows", type: "int64" };
const DIGEST = "content_digest";

/** A table's versions, each with its digest, and how many rows they had. */
export function VersionsView({ result, open }: { result: VersionsResult; open(url: string): void }) {
  const { structured, table, digests } = result;
  const rows = structured.versions.map(
    (version): ChartRow => ({
      label: null,
      ...version,
      [DIGEST]: digests[String(version.version_id)],
    }),
  );
  const columns = [NUMBER, text("label"), PUBLISHED, ROWS, text("change"), text("version_id"), text(DIGEST)];
  const grew = new Set(rows.map((row) => String(row.rows))).size > 1;
  return (
    <ResultFrame
      title={`${table.dataset}, ${table.name}: versions`}
      status={structured.status}
      link={{ url: table.page, text: "Open the versions" }}
      open={open}
    >
      {grew && <Chart spec={{ kind: "line", x: "published_at", y: "rows" }} columns={[PUBLISHED, ROWS]} rows={rows} />}
      <RowsTable label={`Versions of ${table.name}`} columns={columns} rows={rows} />
    </ResultFrame>
  );
}
