import { parseExactJson, stringifyExactJson } from "@/lib/formats/exact-json";
import type { NewsEvent, ViewChanged, ViewEvent, WatchEvent } from "@/lib/schemas/news";
import { datasetPage, tableSegment, versionPage } from "./links";

const studioPage = (base: string, slug: string) => `${base}/studio/${slug}`;
const runPage = (base: string, slug: string, runId: string) => `${studioPage(base, slug)}/runs/${runId}`;

/** The page where a person sees what happened. */
export function newsPage(event: WatchEvent, base: string): string {
  if (event.kind === "test" || event.kind === "view_unavailable") return `${base}/settings/watches`;
  if (event.kind === "view_changed") return viewPage(event, event.data.after.id, base);
  const { slug, visibility } = event.dataset;
  if (event.kind === "run_failed") return runPage(base, slug, event.data.run.id);
  if (event.kind === "approval_asked") return `${runPage(base, slug, event.data.run.id)}/approve`;
  if (visibility !== "public") return studioPage(base, slug);
  const [first, ...others] = event.kind === "released" ? event.data.tables : [];
  return first && others.length === 0 ? versionPage(base, slug, first.version_id) : datasetPage(base, slug);
}

/** The page of a changed view at the version before; undefined for other news. */
export const earlierPage = (event: WatchEvent, base: string): string | undefined =>
  event.kind === "view_changed" && !event.data.before_withheld
    ? viewPage(event, event.data.before.id, base)
    : undefined;

/** A view at one version, in the explorer. */
function viewPage({ dataset, data: { view, table } }: ViewChanged, versionId: string, base: string): string {
  const query = [view.query, new URLSearchParams({ version: versionId })].filter((part) => part !== "").join("&");
  return `${datasetPage(base, dataset.slug)}/${tableSegment(table.slug)}?${query}`;
}

/** The body of a webhook, in the form of Standard Webhooks: the same bytes at every attempt. Pure. */
export const newsPayload = (event: WatchEvent, base: string): string =>
  stringifyExactJson({ type: event.kind, timestamp: event.at, data: payloadData(event, base) });

function payloadData(event: WatchEvent, base: string): object {
  const url = newsPage(event, base);
  if (event.kind === "test") return { url };
  return event.kind === "view_changed" || event.kind === "view_unavailable"
    ? viewData(event, url, base)
    : newsData(event, url);
}

const newsData = (event: NewsEvent, url: string) => ({ url, dataset: event.dataset, ...event.data });

/** The versions have the URLs of the view in them, and the change its values with all their digits. */
function viewData(event: ViewEvent, url: string, base: string): object {
  if (event.kind === "view_unavailable") return { url, ...event.data };
  const { view, before, after, change, ...facts } = event.data;
  return {
    url,
    dataset: event.dataset,
    ...{ view: { id: view.id, title: view.title }, ...facts },
    before: { ...before, url: viewPage(event, before.id, base) },
    after: { ...after, url },
    change: parseExactJson(change),
  };
}
