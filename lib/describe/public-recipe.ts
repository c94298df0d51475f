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
  /** False where something was left out, so that the document's digest is of more than this. */
  isWhole: boolean;
}

/**
 * A stored document as readers see it, numbers with their digits: a source that is read with a credential tells neither
 * its name nor what goes along with it. Pure.
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

/** An address without user, password, query and fragment; empty for what is none. */
export function addressAlone(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.origin}${url.pathname}` : "";
}
