import type { Context } from "@/lib/access/context";
import { processWide } from "@/lib/kernel/process-wide";
import { PromiseCache } from "@/lib/kernel/promise-cache";
import { listAllDatasets } from "@/lib/operations/list-all-datasets";
import type { DatasetEntry } from "@/lib/schemas/dataset";
import { catalogueStamp } from "@/lib/store/catalogue-stamp";

const KEPT_MAX = 8;
/** What is said of freshness is no older, even where no worker looks. */
const KEPT_MS = 15 * 60_000;
const kept = () => processWide("catalogue-documents", () => new PromiseCache<string>(KEPT_MAX));

/** What the catalogue's public state is called, for what is kept of it; changes with it, and at times by itself. */
export const catalogueKey = async ({ baseUrl, now }: Pick<Context, "baseUrl" | "now">): Promise<string> =>
  [baseUrl, await catalogueStamp(), Math.floor(now().getTime() / KEPT_MS)].join("\n");

/**
 * Builds a document of the whole catalogue once per state of the catalogue; concurrent callers wait for it. `name`
 * identifies the document.
 */
export const catalogueDocument =
  (name: string, write: (datasets: DatasetEntry[], baseUrl: string) => string | Promise<string>) =>
  async (_path: unknown, ctx: Context): Promise<string> => {
    const key = [name, await catalogueKey(ctx)].join("\n");
    // the first caller may disconnect while others wait
    return kept().get(key, async () => write(await listAllDatasets({ ...ctx, signal: undefined }), ctx.baseUrl));
  };
