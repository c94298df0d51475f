import { readRecipe, slugOf } from "@/lib/builds/document/read-recipe";
import { addressAlone } from "@/lib/describe/public-recipe";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import type { PublishedTexts } from "@/lib/store/releases/promotion";

/** A recipe's metadata for its dataset, as shown on its pages. */
export function publishedTexts(document: string): PublishedTexts {
  const { publish, sources } = readRecipe(document).recipe;
  const { license, publisher, topics, summary, description, attribution } = publish;
  const shown = sources.filter(({ listed }) => listed).flatMap(addressOf);
  return { license, publisher, topics, summary, description, attribution, sources: shown };
}

/** A source's home page, or the URL that it is read from, without its query string, which may contain secrets. */
function addressOf(source: RecipeSource): PublishedTexts["sources"][number][] {
  const { title: name = source.name, license = null } = source;
  if (source.homepage !== undefined) return [{ name, url: source.homepage, license }];
  if (source.kind === "package") return [{ name, url: `https://www.npmjs.com/package/${source.package}`, license }];
  const url = source.kind === "http" ? addressAlone(source.url ?? source.urls?.[0] ?? "") : "";
  return url === "" ? [] : [{ name, url, license }];
}

interface TableTexts {
  name: string;
  description: string;
  license: string | null;
  position: number;
}

/** The tables that a recipe seals, by slug. */
export function tableTexts(document: string): Map<string, TableTexts> {
  const tables = readRecipe(document).recipe.tables.filter(({ internal }) => !internal);
  return new Map(
    tables.map((table, position) => {
      const { title = table.name, description = "", license = null } = table;
      return [slugOf(table), { name: title, description, license, position }];
    }),
  );
}
