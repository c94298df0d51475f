import { storedRecipe } from "@/lib/builds/document/stored-recipe";
import type { Upstream, Verdict } from "@/lib/freshness/evidence";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import { cachedUnder } from "@/lib/store/caches/cached-answers";
import type { StoredEvidence, StoredReading } from "@/lib/store/releases/evidence";
import { findUpstream, type UpstreamTable } from "@/lib/store/sources/source-tables";
import { findUpload } from "@/lib/store/sources/uploads";
import type { LocalSource, LocalSources } from "./recorded-evidence";

interface VerdictLookup {
  now: Date;
  /** State stored under this generation may come from memory. */
  under: string | undefined;
  /** The verdict on a table of this service; undefined if it is not evaluated. */
  verdictOn(table: UpstreamTable): Promise<Verdict | undefined>;
}

/** What is known about the sources that are tables of this service or uploads. */
export async function localSources(
  stored: StoredEvidence,
  readings: readonly StoredReading[],
  lookup: VerdictLookup,
): Promise<LocalSources> {
  const { workspaceId } = stored;
  const found = new Map<string, LocalSource>();
  for (const source of storedRecipe(stored.document).recipe.sources) {
    const last = readings.findLast((reading) => reading.source === source.name && reading.ok);
    const local =
      source.kind === "table"
        ? await tableOf(source, last, workspaceId, lookup)
        : await uploadOf(source, last, workspaceId, lookup);
    if (local) found.set(source.name, local);
  }
  return found;
}

type TableSource = Extract<RecipeSource, { kind: "table" }>;

async function tableOf(
  { table, version }: TableSource,
  last: StoredReading | undefined,
  workspaceId: string,
  { under, verdictOn }: VerdictLookup,
): Promise<LocalSource | undefined> {
  if (last === undefined) return undefined; // nothing has been made from it yet
  if (version !== "current") return { kind: "table", upstream: { verdict: PINNED, newerSince: null } };
  const name = `upstream ${workspaceId} ${table}`;
  const { current } = await cachedUnder(name, under, async () => ({ current: await findUpstream(table, workspaceId) }));
  if (!current) return { kind: "table", upstream: { verdict: GONE, newerSince: null } };
  const verdict = (await verdictOn(current)) ?? GONE;
  const newerSince = current.digest === last.digest ? null : current.since.getTime();
  return { kind: "table", upstream: { verdict, newerSince } satisfies Upstream };
}

const NOTHING = { confidence: "none", window: null, lastObservedAt: null, lastChangedAt: null } as const;
/** A single version never changes. */
const PINNED: Verdict = { state: "dormant", reason: "source_static", ...NOTHING };
/** Withdrawn, or no longer accessible to others. */
const GONE: Verdict = { state: "unknown", reason: "no_observation", ...NOTHING };

/** Between uploads, the service itself knows that nothing arrived. */
async function uploadOf(
  source: RecipeSource,
  last: StoredReading | undefined,
  workspaceId: string,
  { now, under }: VerdictLookup,
): Promise<LocalSource | undefined> {
  if (source.kind !== "upload" || last === undefined) return undefined;
  const digest = source.digest?.slice("sha256:".length);
  const { newest } = await cachedUnder(`upload ${workspaceId} ${digest} ${source.upload}`, under, async () => ({
    newest: await findUpload(workspaceId, source.upload, digest),
  }));
  const isRead = newest !== undefined && newest.at.getTime() <= last.at.getTime();
  return isRead ? { kind: "upload", unchangedAt: Math.max(now.getTime(), last.at.getTime()) } : undefined;
}
