import { Chart } from "@/components/chart/chart";
import type { ChartColumn, ChartRow } from "@/components/chart/chart-spec";
import { RowsTable } from "@/components/embed/rows-table";
import { type AppResult, readResult, textOf, type VersionsResult } from "./app-result";
import { ComparisonView } from "./comparison-view";
import { connectHost } from "./host";
import { show } from "./jsx-runtime";
import { ResultFrame } from "./result-frame";
import { RowsView } from "./rows-view";

const place = document.getElementById("result") as HTMLElement;

const host = connectHost({
  result(sent) {
    const result = readResult(sent);
    show(result ? <ResultView result={result} open={open} /> : <PlainText text={textOf(sent)} />, place);
  },
  cancelled: () => show(<PlainText text="The call was cancelled." />, place),
  context({ theme }) {
    if (theme) document.documentElement.dataset.theme = theme;
  },
  ready: () => new ResizeObserver(tellHeight).observe(document.body),
});

/** If the host does not open links, the URL is shown for copying. */
async function open(url: string): Promise<void> {
  const opened = await host.open(url);
  const address = document.getElementById("address");
  if (address) address.textContent = opened ? "" : url;
}

function tellHeight(): void {
  host.resize(Math.ceil(document.body.getBoundingClientRect().height));
}

interface Props {
  result: AppResult;
  /** Asks the host to open a URL. */
  open(url: string): void;
}

/** A result of one of the tools that the app is for. */
function ResultView({ result, open }: Props) {
  if (result.kind === "rows") return <RowsView result={result} open={open} />;
  if (result.kind === "versions") return <VersionsView result={result} open={open} />;
  return <ComparisonView result={result} open={open} />;
}

/** Results without a chart or table, such as errors, as the model reads them. */
function PlainText({ text }: { text: string }) {
  return (
    <main className="embed-main">
      <h1 className="result-hidden">Result</h1>
      <p className="result-text">{text}</p>
    </main>
  );
}

const text = (name: string): ChartColumn => ({ name, type: "string" });

const NUMBER: ChartColumn = { name: "number", type: "int64" };

const PUBLISHED: ChartColumn = { name: "published_at", type: "timestamp" };

const ROWS: ChartColumn = { name: "rows", type: "int64" };

const DIGEST = "content_digest";

/** A table's versions, each with its digest, and how many rows they had. */
function VersionsView({ result, open }: { result: VersionsResult; open(url: string): void }) {
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
