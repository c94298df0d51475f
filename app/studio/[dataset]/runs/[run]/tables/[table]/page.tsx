import type { Metadata } from "next";
import { firstAnswer } from "@/app/first-answer";
import { Missing } from "@/app/missing";
import { redirectToAdded } from "@/app/plain-additions";
import type { SearchParams } from "@/app/search-params";
import { datasetContext, orUndefined } from "@/app/studio/studio-context";
import { sentAnswer } from "@/components/explorer/answer/answer-state";
import { Explorer } from "@/components/explorer/explorer";
import { PlainControls } from "@/components/explorer/view/plain-controls";
import { StudioPage } from "@/components/studio/studio-head";
import { MADE_WORDS } from "@/components/studio/studio-text";
import { readerOf } from "@/lib/access/actor";
import { browserRun } from "@/lib/describe/links";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import { env } from "@/lib/kernel/env";
import { formatBytes, formatDay, formatPlural } from "@/lib/kernel/format";
import { execute } from "@/lib/operations/execute";
import { lookedUpColumns } from "@/lib/operations/reading/looked-up-columns";
import { describeRunTable } from "@/lib/operations/runs/describe-run-table";
import { getRun } from "@/lib/operations/runs/get-run";
import { queryRunInBrowser } from "@/lib/operations/runs/query-run";
import { readView } from "@/lib/view/view-address";

export const dynamic = "force-dynamic";

export const metadata: Metadata = { title: "Rows of a run" };

interface Props {
  params: Promise<{ dataset: string; run: string; table: string }>;
  searchParams: SearchParams;
}

/** The explorer of a table that a run made, before anything is published. */
export default async function RunTablePage({ params, searchParams }: Props) {
  const { dataset, run: runId, table } = await params;
  const run = `/studio/${dataset}/runs/${runId}`;
  const path = `${run}/tables/${encodeURIComponent(table)}`;
  const studio = await datasetContext(dataset, path);
  if (!studio) return <Missing />;
  const { ctx, workspace, found } = studio;
  const given = { path: { workspace_id: workspace.id, run_id: runId, table } };
  const about = await orUndefined(() => execute(getRun, { ...given, query: { wait_ms: 0 } }, ctx));
  const made = await orUndefined(() => execute(describeRunTable, given, ctx));
  if (!made || about?.dataset !== found.dataset.slug) return <Missing />;
  const parameters = await searchParams;
  const columns = [...made.columns, ...(await lookedUpColumns([parameters.lookup ?? []].flat(), readerOf(ctx), ctx))];
  const { view } = readView(parameters, columns);
  redirectToAdded(parameters, path, view, columns);
  const tiers = { anonymousRows: env().ROWS_KEY, keyRows: env().ROWS_KEY };
  const read = async (body: string, asking: typeof ctx) =>
    (await execute(queryRunInBrowser, { ...given, body: parseJsonBody(body) as never }, asking)).body;
  const first = await firstAnswer(read, view, columns, env().ROWS_ANONYMOUS, ctx);
  const words = MADE_WORDS[made.kind];
  return (
    <StudioPage
      title={table}
      isWide
      trail={[
        { href: "/studio", label: "Studio" },
        { href: `/studio/${dataset}`, label: found.dataset.title },
        { href: run, label: "Run" },
      ]}
      intro={
        <p>
          {words}: {formatPlural(made.rows, "row")}, {formatPlural(made.columns.length, "column")},{" "}
          {formatBytes(made.bytes)} of Parquet.{" "}
          {made.published_at
            ? `It was made current on ${formatDay(made.published_at)}.`
            : "Nothing of it is published."}{" "}
          Only members of {workspace.name} can open this page.
        </p>
      }
    >
      <div className="mt-5">
        <noscript>
          <PlainControls path={path} view={view} columns={columns} />
        </noscript>
        <Explorer
          table={{
            id: given.path.run_id,
            name: table,
            rows: made.rows,
            path,
            source: `${words} by run ${runId}`,
            fileName: `${dataset}-${table}`,
            owner: { id: workspace.id, name: workspace.name },
            runQueryUrl: browserRun("", workspace.id, runId, table),
          }}
          tiers={tiers}
          columnsText={stringifyExactJson(columns)}
          first={sentAnswer(first)}
        />
      </div>
    </StudioPage>
  );
}
