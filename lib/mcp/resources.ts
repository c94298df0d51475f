import { type McpServer, ResourceNotFoundError, ResourceTemplate } from "@modelcontextprotocol/server";
import { readerOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { buildGuide } from "@/lib/describe/build-guide";
import { newsPage } from "@/lib/describe/news-payload";
import { newsText } from "@/lib/describe/news-text";
import { REFERENCE_URI, recipeReference } from "@/lib/describe/recipe-reference";
import { failureOf } from "@/lib/http/failure-of";
import { execute } from "@/lib/operations/execute";
import { getDataset } from "@/lib/operations/get-dataset";
import { datasetText } from "@/lib/operations/views/fetch-tool";
import { openNews } from "@/lib/store/news/news";
import { completedSlugs } from "./completed-slugs";
import { GUIDE_URI, UPDATED_URI } from "./instructions";

const MARKDOWN = "text/markdown";
const DATASETS_URI = "parquetry://datasets/";

/** What a client can read besides calling tools: the guides, the news, and each dataset's description. */
export function addResources(server: McpServer, ctx: Context): void {
  const guide = {
    title: "Build guide",
    description: "How to build a dataset: the calls, the recipe, an example.",
    mimeType: MARKDOWN,
  };
  server.registerResource("build-guide", GUIDE_URI, guide, (uri) => ({
    contents: [{ uri: uri.href, mimeType: MARKDOWN, text: buildGuide(ctx.baseUrl) }],
  }));
  const updated = {
    title: "Updated",
    description: "The newest releases, and tables that went stale or recovered: read it again for updates.",
    mimeType: "application/json",
  };
  server.registerResource("updated", UPDATED_URI, updated, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: updated.mimeType, text: await updatedText(ctx) }],
  }));
  const reference = { ...guide, title: "Recipe reference", description: "Every key of a recipe, with examples." };
  server.registerResource("recipe-reference", REFERENCE_URI, reference, (uri) => ({
    contents: [{ uri: uri.href, mimeType: MARKDOWN, text: recipeReference() }],
  }));
  addDatasets(server, ctx);
}

/** Datasets are not listed individually: search finds them, and their names are completed. */
function addDatasets(server: McpServer, ctx: Context): void {
  const template = new ResourceTemplate(`${DATASETS_URI}{slug}`, {
    list: undefined,
    complete: { slug: (begun) => completedSlugs(begun, ctx) },
  });
  const about = {
    title: "Dataset",
    description: "A dataset by its slug, in Markdown: summary, licence, tables with their columns, and how to cite it.",
    mimeType: MARKDOWN,
  };
  server.registerResource("dataset", template, about, async (uri, { slug }) => ({
    contents: [{ uri: uri.href, mimeType: MARKDOWN, text: await readDataset(String(slug), uri.href, ctx) }],
  }));
}

async function readDataset(slug: string, uri: string, ctx: Context): Promise<string> {
  try {
    return datasetText(await execute(getDataset, { path: { slug } }, ctx));
  } catch (thrown) {
    const { status } = failureOf(thrown);
    if (status >= 500) throw thrown;
    throw new ResourceNotFoundError(uri);
  }
}

const SHOWN = 30;

/**
 * Recent events of datasets that the caller may read. The connector keeps no session that could be notified, so clients
 * poll this and compare ids.
 */
async function updatedText(ctx: Context): Promise<string> {
  const news = await openNews(readerOf(ctx), { limit: SHOWN });
  const entries = news.map(({ id, event }) => ({
    id,
    at: event.at,
    event: event.kind,
    dataset: event.dataset.slug,
    tables: "tables" in event.data ? event.data.tables.map(({ slug }) => slug) : [],
    says: newsText(event).sentences.join(" "),
    url: newsPage(event, ctx.baseUrl),
  }));
  return JSON.stringify({ updated: entries });
}
