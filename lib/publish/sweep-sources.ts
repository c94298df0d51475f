import { sha256Hex } from "@/lib/kernel/sha256";
import type { Author } from "@/lib/store/audit";
import { replaceSweep } from "@/lib/store/sources";
import { readProviderDocument } from "./source-document";
import { cleanTitle } from "./source-text";

export interface SweepRequest {
  /** The text of the provider's document. */
  document: string;
  provider?: string | undefined;
  homepage?: string | undefined;
  /** What relative paths of sources are resolved against. */
  baseUrl?: string | undefined;
  now: Date;
}

/**
 * Reads a provider's own list of sources in the place of what was swept before. Throws in words that say what is wrong
 * with the document.
 */
export async function sweepSources(
  { document, provider, homepage, baseUrl, now }: SweepRequest,
  author: Author,
): Promise<void> {
  const read = readProviderDocument(document, baseUrl);
  const name = cleanTitle(provider ?? read.provider);
  if (!name) throw new Error("The document does not name its provider. Give --provider.");
  const sweep = {
    provider: name,
    homepage: homepage ?? read.homepage,
    documentVersion: cleanTitle(read.version),
    listed: read.listed,
    sources: read.sources,
  };
  await replaceSweep({ ...sweep, documentDigest: sha256Hex(document), sweptAt: now }, author);
}
