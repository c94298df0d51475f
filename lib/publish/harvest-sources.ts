import { sha256Hex } from "@/lib/kernel/sha256";
import type { Author } from "@/lib/store/audit";
import { replaceHarvest } from "@/lib/store/sources/sources";
import { readProviderDocument } from "./source-document";
import { cleanTitle } from "./source-text";

export interface HarvestRequest {
  /** The text of the provider's document. */
  document: string;
  provider?: string | undefined;
  homepage?: string | undefined;
  /** The base URL for relative paths of sources. */
  baseUrl?: string | undefined;
  now: Date;
}

/**
 * Replaces the previous harvest with a provider's list of sources. Throws an error that says what is wrong with the
 * document.
 */
export async function harvestSources(
  { document, provider, homepage, baseUrl, now }: HarvestRequest,
  author: Author,
): Promise<void> {
  const read = readProviderDocument(document, baseUrl);
  const name = cleanTitle(provider ?? read.provider);
  if (!name) throw new Error("The document does not name its provider. Use --provider.");
  const harvest = {
    provider: name,
    homepage: homepage ?? read.homepage,
    documentVersion: cleanTitle(read.version),
    listed: read.listed,
    sources: read.sources,
  };
  await replaceHarvest({ ...harvest, documentDigest: sha256Hex(document), harvestedAt: now }, author);
}
