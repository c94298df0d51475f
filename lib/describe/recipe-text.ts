import { Document, isCollection, isPair, isSeq, stringify, visit } from "yaml";

/** Keys that come first; the others follow in stored order. */
const FIRST = [
  ...["schema_version", "name", "slug", "title", "step", "check", "function", "fn", "kind", "url"],
  ...["registry", "package", "version", "path", "upload", "table", "column", "from", "find", "with", "type"],
  ...["sources", "tables", "steps", "columns", "as", "min"],
];
/** The others come before these. */
const LAST = ["checks", "refresh", "publish"];
const LINE = 110;

/** A stored recipe as a person would write it: YAML, names before details, short values on one line. */
export function recipeText(recipe: unknown): string {
  const document = new Document(recipe, { sortMapEntries: (a, b) => rankOf(a.key) - rankOf(b.key) });
  visit(document, {
    Collection(_, node, path) {
      const around = path.filter(isCollection);
      // sections, sources and tables are on separate lines
      if (around.length < 2 || (around.length === 2 && isSeq(around[1]))) return undefined;
      const parent = path.at(-1);
      const indent = 2 * around.length + (isPair(parent) ? String(parent.key).length + 2 : 0);
      const line = stringify(node, { collectionStyle: "flow", flowCollectionPadding: false, lineWidth: 0 });
      node.flow = indent + line.length <= LINE;
      return node.flow ? visit.SKIP : undefined;
    },
  });
  return document.toString({ lineWidth: LINE, flowCollectionPadding: false });
}

function rankOf(key: unknown): number {
  const name = String((key as { value?: unknown }).value ?? key);
  if (LAST.includes(name)) return FIRST.length + 1 + LAST.indexOf(name);
  return FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length;
}
