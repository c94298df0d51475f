import { useEffect, useRef, useState } from "react";
import { type Answered, isNarrowed } from "@/components/explorer/answer/answer-state";
import { ask, type Route } from "@/components/explorer/answer/ask";
import { readDigits } from "@/components/explorer/answer/reply-text";
import type { Column, Profile } from "@/lib/schemas/column";
import { isGroupedView, queryText, type View, viewQuery } from "@/lib/view/view";

/** Counts over the rows of a view, by column. */
export interface RowProfile {
  rows: number;
  profiles: ReadonlyMap<string, Profile>;
}

/** The counts of one column. */
export interface MatchedColumn {
  rows: number;
  profile: Profile;
}

export function matchedColumn(matched: RowProfile | undefined, name: string): MatchedColumn | undefined {
  const profile = matched?.profiles.get(name);
  return matched && profile && { rows: matched.rows, profile };
}

const COLUMNS_MAX = 50;
const REMEMBERED_MAX = 12;

/**
 * Counts over the rows of an answered view, asked for after its rows. Undefined until they are known, for views of all
 * rows, of groups or of the first rows, and if the service does not answer: heads then show the whole table alone.
 */
export function useRowProfile(
  answered: Answered | undefined,
  columns: readonly Column[],
  route: Route,
): RowProfile | undefined {
  const body = answered && profileBody(answered, columns);
  const [found, setFound] = useState<{ body: string; profile: RowProfile }>();
  const known = useRef(new Map<string, RowProfile>());
  const way = useRef(route);
  way.current = route;
  useEffect(() => {
    if (body === undefined) return;
    const before = known.current.get(body);
    if (before) return setFound({ body, profile: before });
    const controller = new AbortController();
    const read = async (reply: Response) => readProfile(await reply.text());
    void ask(way.current, body, "application/json", controller.signal, read).then((asked) => {
      if (!asked?.data) return;
      known.current.set(body, asked.data);
      const [oldest] = known.current.keys();
      if (known.current.size > REMEMBERED_MAX && oldest !== undefined) known.current.delete(oldest);
      setFound({ body, profile: asked.data });
    });
    return () => controller.abort();
  }, [body]);
  return found && found.body === body ? found.profile : undefined;
}

/** The body that asks for the counts of the columns that are shown, of the version that was answered from. */
function profileBody({ view, columns: shown, facts }: Answered, columns: readonly Column[]): string | undefined {
  if (!hasProfile(view)) return undefined;
  const drawn = new Set(columns.filter(isDrawn).map(({ name }) => name));
  const names = shown.map(({ name }) => name).filter((name) => drawn.has(name));
  if (names.length === 0) return undefined;
  const asked = { ...view, columns: names.slice(0, COLUMNS_MAX), order_by: [], limit: undefined };
  return queryText(viewQuery({ ...asked, version: facts.versionId }, columns));
}

/** Whether a column's head or card has counts. */
const isDrawn = ({ profile }: Column): boolean =>
  profile.null_count > 0 || profile.histogram !== undefined || (profile.top_values ?? profile.true_count) !== undefined;

const hasProfile = (view: View): boolean =>
  isNarrowed(view) && !isGroupedView(view) && view.top === undefined && view.limit === undefined;

interface Reply {
  rows: number;
  columns: { name: string; profile: Profile }[];
}

function readProfile(text: string): RowProfile {
  const { rows, columns } = readDigits(text) as Reply;
  return { rows, profiles: new Map(columns.map(({ name, profile }) => [name, profile])) };
}
