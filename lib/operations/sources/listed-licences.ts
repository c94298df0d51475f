import type { Recipe } from "@/lib/schemas/recipe";
import { addressesOf } from "@/lib/sources/addresses-of";
import { findListedLicences } from "@/lib/store/sources/sources";

/** A source for which a provider's list states a different licence from the recipe. */
export interface ListedLicence {
  source: string;
  stated: string;
  listed: string;
  provider: string;
}

/** Reported but not judged, since one licence has many names. */
export async function listedLicences({ sources, publish }: Recipe): Promise<ListedLicence[]> {
  const addresses = sources.flatMap((source) => {
    const stated = source.license ?? publish.license;
    return addressesOf(source).map((url) => ({ source: source.name, stated, url }));
  });
  if (addresses.length === 0) return [];
  const found = new Map((await findListedLicences(addresses.map(({ url }) => url))).map((each) => [each.url, each]));
  const differing = addresses.flatMap(({ source, stated, url }): ListedLicence[] => {
    const listed = found.get(url);
    if (!listed || plain(listed.license) === plain(stated)) return [];
    return [{ source, stated, listed: listed.license, provider: listed.provider }];
  });
  return differing.filter(({ source }, at) => differing.findIndex((other) => other.source === source) === at);
}

/** A licence's name, normalised. */
export const plain = (licence: string): string =>
  licence
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ");
