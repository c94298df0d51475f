import { CACHED_PAGES } from "@/lib/http/cacheable-pages";

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** One value of each parameter; repeated ones count as absent. */
export async function singleValues(search: SearchParams): Promise<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(await search).filter(([, value]) => typeof value === "string")) as Record<
    string,
    string
  >;
}

type Kept = typeof CACHED_PAGES;
type ParameterOf<P extends keyof Kept> = Kept[P]["parameters"][number];

/** The declared parameters of a page that is kept: it never sees another. */
export async function keptParameters<P extends keyof Kept>(
  page: P,
  search: SearchParams,
): Promise<{ [K in ParameterOf<P>]?: string | string[] | undefined }> {
  const given = await search;
  return Object.fromEntries(CACHED_PAGES[page].parameters.map((name) => [name, given[name]])) as Awaited<
    ReturnType<typeof keptParameters<P>>
  >;
}

/** One value of each of them; repeated ones count as absent. */
export const keptValues = async <P extends keyof Kept>(
  page: P,
  search: SearchParams,
): Promise<{ [K in ParameterOf<P>]?: string | undefined }> =>
  (await singleValues(keptParameters(page, search))) as { [K in ParameterOf<P>]?: string | undefined };
