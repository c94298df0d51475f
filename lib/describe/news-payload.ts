import type { NewsEvent, WatchEvent } from "@/lib/schemas/news";
import { datasetPage, versionPage } from "./links";

const studioPage = (base: string, slug: string) => `${base}/studio/${slug}`;
const runPage = (base: string, slug: string, runId: string) => `${studioPage(base, slug)}/runs/${runId}`;

/** The page where a person sees what happened. */
export function newsPage(event: WatchEvent, base: string): string {
  if (event.kind === "test") return `${base}/settings/watches`;
  const { slug, visibility } = event.dataset;
  if (event.kind === "run_failed") return runPage(base, slug, event.data.run.id);
  if (event.kind === "approval_asked") return `${runPage(base, slug, event.data.run.id)}/approve`;
  if (visibility !== "public") return studioPage(base, slug);
  const [first, ...others] = event.kind === "released" ? event.data.tables : [];
  return first && others.length === 0 ? versionPage(base, slug, first.version_id) : datasetPage(base, slug);
}

/** The body of a webhook, in the form of Standard Webhooks: the same bytes at every attempt. Pure. */
export const newsPayload = (event: WatchEvent, base: string): string =>
  JSON.stringify({
    type: event.kind,
    timestamp: event.at,
    data: event.kind === "test" ? { url: newsPage(event, base) } : newsData(event, base),
  });

const newsData = (event: NewsEvent, base: string) => ({
  url: newsPage(event, base),
  dataset: event.dataset,
  ...event.data,
});
