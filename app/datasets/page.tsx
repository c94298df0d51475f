import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { findDatasets, readFacets } from "@/app/catalogue";
import { pageContext } from "@/app/context";
import { shownForNow } from "@/app/passing";
import { keptParameters, type SearchParams } from "@/app/search-params";
import { type DirectoryState, directoryUrl, readDirectoryState } from "@/components/dataset/directory-url";
import { Directory } from "@/components/directory/directory";
import type { DirectoryData } from "@/components/directory/directory-data";
import { FillNotice } from "@/components/directory/fill-notice";
import { CATALOGUE_FEED_PATH } from "@/lib/describe/links";
import { Failure } from "@/lib/kernel/errors";
import { fillProgress } from "@/lib/operations/fill-progress";

export const dynamic = "force-dynamic";

type Props = { searchParams: SearchParams };

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const state = readDirectoryState(await keptParameters("/datasets", searchParams));
  const title = state.q ? `“${state.q}” in datasets` : "Datasets";
  return {
    title,
    description: "Search open datasets by keyword, topic, publisher, licence and size.",
    alternates: {
      canonical: directoryUrl({ topic: state.topic, publisher: state.publisher }),
      types: { "application/atom+xml": CATALOGUE_FEED_PATH },
    },
  };
}

export default async function DirectoryPage({ searchParams }: Props) {
  const ctx = pageContext();
  const state = readDirectoryState(await keptParameters("/datasets", searchParams));
  const [data, filling] = await Promise.all([readDirectory(state, ctx), fillProgress()]);
  if (filling) await shownForNow();
  return (
    <div className="page py-10">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h1 className="text-3xl">Datasets</h1>
        <a className="link text-sm" href={CATALOGUE_FEED_PATH}>
          Release feed
        </a>
      </div>
      {filling && (
        <div className="mt-5 max-w-2xl">
          <FillNotice filling={filling} />
        </div>
      )}
      <Directory url={directoryUrl(state)} data={data} now={ctx.now().toISOString()} />
    </div>
  );
}

/** A cursor from another search, or signed by an older server, restarts the listing. */
async function readDirectory(state: DirectoryState, ctx: ReturnType<typeof pageContext>): Promise<DirectoryData> {
  const { sort, cursor, ...narrowed } = state as Parameters<typeof findDatasets>[0];
  try {
    const [catalogue, facets] = await Promise.all([
      findDatasets({ ...narrowed, sort, cursor }, ctx),
      readFacets(narrowed, ctx),
    ]);
    const topics = catalogue.total > 0 ? [] : (await readFacets({}, ctx)).facets.topic;
    return { catalogue, facets, topics };
  } catch (error) {
    if (error instanceof Failure && error.code === "invalid_cursor")
      redirect(directoryUrl({ ...state, cursor: undefined }));
    throw error;
  }
}
