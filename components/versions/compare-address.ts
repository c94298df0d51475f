import { comparisonPage, versionPage } from "@/lib/describe/links";

/** The URL of a dataset's history, with two versions of one of its tables compared. */
export function compareUrl(slug: string, { table, from, to }: { table: string; from: string; to: string }): string {
  return comparisonPage("", slug, { table, from, to });
}

/** The page of one immutable version. */
export const versionUrl = (slug: string, versionId: string): string => versionPage("", slug, versionId);
