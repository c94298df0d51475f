export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** One value of each parameter; repeated ones count as absent. */
export async function singleValues(search: SearchParams): Promise<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(await search).filter(([, value]) => typeof value === "string")) as Record<
    string,
    string
  >;
}
