import { readTree } from "@/lib/builds/document/tree";

type Source = Record<string, unknown> & {
  credential?: string;
  url?: string;
  urls?: string[];
  template?: { url: string };
};
type Tree = Record<string, unknown> & { sources: Source[] };

export interface ShownRecipe {
  recipe: Tree;
  /** False if something was left out, in which case the document's digest covers more than this. */
  isWhole: boolean;
}

/**
 * A stored document as readers see it, numbers with their digits: for a source that is read with a credential, the
 * credential's name and the request details sent with it are left out. Pure.
 */
export function shownRecipe(document: string): ShownRecipe {
  const tree = readTree(document) as Tree;
  const isWhole = tree.sources.every(({ credential }) => credential === undefined);
  return { recipe: { ...tree, sources: tree.sources.map(withoutCredential) }, isWhole };
}

function withoutCredential(source: Source): Source {
  if (source.credential === undefined) return source;
  const { credential: _, query: __, headers: ___, body: ____, ...rest } = source;
  return {
    ...rest,
    ...(rest.url !== undefined && { url: addressAlone(rest.url) }),
    ...(rest.urls !== undefined && { urls: rest.urls.map(addressAlone) }),
    ...(rest.template && { template: { ...rest.template, url: rest.template.url.split("?")[0] ?? "" } }),
  };
}

/** A URL without user, password, query and fragment; empty if it is not a URL. */
export function addressAlone(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.origin}${url.pathname}` : "";
}
