import { workspaceOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { newsPage } from "@/lib/describe/news-payload";
import { newsWords } from "@/lib/describe/news-words";
import { openNews } from "@/lib/store/news";

const SHOWN = 30;

/**
 * Recent events of datasets that the caller may read. The connector keeps no session that could be notified, so clients
 * poll this and compare ids.
 */
export async function updatedText(ctx: Context): Promise<string> {
  const news = await openNews(workspaceOf(ctx), { limit: SHOWN });
  const entries = news.map(({ id, event }) => ({
    id,
    at: event.at,
    event: event.kind,
    dataset: event.dataset.slug,
    tables: "tables" in event.data ? event.data.tables.map(({ slug }) => slug) : [],
    says: newsWords(event).sentences.join(" "),
    url: newsPage(event, ctx.baseUrl),
  }));
  return JSON.stringify({ updated: entries });
}
