import type { PagesGuess } from "@/lib/readers/proposals/page-guesses";
import type { HttpSource, RecipeSource } from "@/lib/schemas/recipe-source";
import { failureOf, type Look, type Looked, shown, TRIES_MS, withSpent } from "./requested-pages";

/**
 * If it is a guess which parameters request the next page of a source, requests the second page with the likeliest
 * ones. The first that return other records are proposed, as `pages` of the reply. If none do, the guess remains and a
 * warning asks for the parameters.
 */
export async function provePaging(
  first: Looked,
  source: RecipeSource,
  look: Look,
  signal: AbortSignal,
): Promise<{ looked: Looked; warning?: string }> {
  const { json } = first.found;
  const { paging } = json ?? {};
  if (!json || !paging?.guesses || source.kind !== "http" || !mayTry(source)) return { looked: first };
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(TRIES_MS)]);
  const tried: string[] = [];
  let spent = first.head;
  const withPaging = (found: NonNullable<typeof paging>): Looked => ({
    head: { ...first.head, bytesRead: spent.bytesRead, seconds: spent.seconds },
    found: { ...first.found, json: { ...json, paging: found } },
  });
  for (const { pages, second } of paging.guesses) {
    const probe = { ...source, query: { ...source.query, ...second } };
    const looked = await look(probe, inTime).catch((error: unknown) => failureOf(error, signal, inTime));
    if (!("found" in looked)) {
      tried.push(`${shown(second)} (${looked.reason})`);
      if (!looked.goesOn) break;
      continue;
    }
    spent = withSpent(looked.head, spent);
    if (hasOtherRecords(looked, first)) {
      const why = `${paging.why}; ${shown(second)} returns other records`;
      return { looked: withPaging({ pages, why }) };
    }
    tried.push(`${shown(second)} (${hasRecords(looked) ? "the same records" : "no records"})`);
  }
  return { looked: withPaging(paging), warning: unsure(paging.guesses, tried) };
}

function unsure([first]: readonly PagesGuess[], tried: readonly string[]): string {
  const also = tried.length === 0 ? "" : ` Tried for the second page: ${tried.join(", ")}.`;
  return (
    `It is not certain which parameters request the next page.${also} Give the source's pages the names that its ` +
    `documentation uses, such as ${JSON.stringify(first?.pages)}.`
  );
}

/** Only a source of one URL, without a body or a paging rule, is asked for a second page. */
const mayTry = ({ url, pages, body, slices }: HttpSource): boolean =>
  url !== undefined && pages === undefined && body === undefined && slices === undefined;

const hasRecords = ({ found }: Looked): boolean => (found.json?.candidates.length ?? 0) > 0;

/** Compares the first records, which are part of every finding. */
const hasOtherRecords = (second: Looked, first: Looked): boolean =>
  hasRecords(second) &&
  second.found.json?.candidates[0]?.pointer === first.found.json?.candidates[0]?.pointer &&
  JSON.stringify(second.found.raw) !== JSON.stringify(first.found.raw);
