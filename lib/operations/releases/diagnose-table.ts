import { z } from "zod";
import { membershipOf } from "@/lib/access/authorize";
import { readRecipe } from "@/lib/builds/document/read-recipe";
import { presentFreshness, presentReadings } from "@/lib/describe/present-freshness";
import { Failure, fail } from "@/lib/kernel/errors";
import { BUILD, datasetPathSchema, locateBuilt } from "@/lib/operations/datasets/build-path";
import { tableReadings } from "@/lib/operations/freshness/table-readings";
import { freshnessOf } from "@/lib/operations/freshness/verdicts";
import { operation } from "@/lib/operations/operation";
import { presentSchedule, scheduleSchema } from "@/lib/operations/recipes/present-schedule";
import { checkCredentialHosts } from "@/lib/operations/sources/credential-hosts";
import { listedLicences } from "@/lib/operations/sources/listed-licences";
import { FRESHNESS_REASONS } from "@/lib/schemas/freshness";
import { freshnessReportSchema } from "@/lib/schemas/freshness-report";
import { sourceReadingsSchema } from "@/lib/schemas/readings";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import type { BuiltDataset } from "@/lib/store/datasets/built-datasets";
import { findRevision } from "@/lib/store/recipes/revisions";
import { checkedReleases, failedChecks, lastReadings, openEnds, runsSince } from "@/lib/store/releases/diagnosis";
import { detailedReleases } from "@/lib/store/releases/releases";
import { type Diagnosed, findingsOf } from "./diagnosis-findings";
import { checkTrends, schemaDrift, worseningChecks } from "./release-trends";

const DAY_MS = 86_400_000;
const RELEASES_COMPARED = 10;
const pathSchema = datasetPathSchema.extend({ table: z.string().max(100).describe("The table's slug.") });
const daysSchema = z.coerce.number().int().min(1).max(90).default(30).describe("Considers runs of the last days.");

const findingSchema = z.object({
  severity: z.enum(["problem", "notice"]),
  code: z.string(),
  message: z.string(),
  evidence: z.record(z.string(), z.unknown()).describe("The rows that it is based on."),
  fix: z.string(),
  call: z.object({ tool: z.string(), args: z.record(z.string(), z.unknown()) }).optional(),
});

const outputSchema = z.object({
  dataset: z.string(),
  table: z.string(),
  verdict: z.object({ state: z.string(), reason_code: z.string(), in_words: z.string() }),
  findings: z.array(findingSchema).describe("Problems first; empty if nothing is wrong."),
  freshness: freshnessReportSchema,
  runs: z.object({
    days: z.int(),
    count: z.int(),
    failed: z.int(),
    unchanged: z.int(),
    released: z.int(),
    last_failures: z.array(z.object({ run_id: z.uuid(), at: z.iso.datetime(), code: z.string(), message: z.string() })),
  }),
  schedule: scheduleSchema.nullable(),
  check_trends: z
    .array(
      z.object({
        check: z.string(),
        title: z.string().nullable(),
        severity: z.enum(["error", "warn"]),
        releases: z.array(
          z.object({ version_id: z.uuid(), sealed_at: z.iso.datetime(), failures: z.number(), examined: z.number() }),
        ),
      }),
    )
    .describe("What the checks of the newest release found in the last ten, oldest first."),
  readings: z.array(sourceReadingsSchema).optional().describe("How each of its sources was read; only if requested."),
  next: z.string(),
});

export type TableDiagnosis = z.output<typeof outputSchema>;

/** GET why a built table is in the state that it is in, and what to do about it. */
export const diagnoseTable = operation({
  name: "diagnose_table",
  summary: "Diagnose a built table",
  description:
    "Says whether a table is current, what prevents it, and what to do: rules over its last runs, readings of its " +
    "sources, schedule, credentials and checks. Each finding names its evidence.",
  access: "build_read",
  quota: "account",
  http: { method: "GET", path: `${BUILD}/datasets/{dataset}/tables/{table}/diagnosis` },
  input: {
    path: pathSchema,
    query: z.strictObject({
      days: daysSchema,
      readings: z
        .stringbool()
        .or(z.boolean())
        .default(false)
        .describe("Whether to return the readings of its sources."),
    }),
  },
  output: outputSchema,
  async locate(path, ctx) {
    const dataset = await locateBuilt(path, ctx);
    const table = dataset.tables.find(({ slug }) => slug === path.table);
    const known = dataset.tables.map(({ slug }) => slug).join(", ");
    if (!table) throw fail("not_found", { message: `Unknown table: ${path.table}. The dataset has: ${known}.` });
    return { dataset, table };
  },
  async run({ located: { dataset, table }, query: { days, readings: withReadings } }, ctx) {
    const now = ctx.now();
    const since = new Date(now.getTime() - days * DAY_MS);
    const [{ counts, lastFailures }, ends, readings, releases, checked, judged] = await Promise.all([
      runsSince(dataset.id, since),
      openEnds(dataset.id),
      lastReadings(dataset.id, since),
      detailedReleases(table.id, 1),
      checkedReleases(table.id, RELEASES_COMPARED),
      freshnessOf([dataset.id], now, "all"),
    ]);
    const { verdict, release } = judged(dataset.id).ofTable(table.id, table.slug);
    const freshness = presentFreshness(verdict, release?.continuity);
    const schedule = presentSchedule(dataset.schedule);
    const current = releases.find(({ isCurrent }) => isCurrent);
    const newer = releases.find((each) => !each.isCurrent && each.rank === 1 && each.withdrawnAt === null);
    const trends = checkTrends(checked);
    const findings = findingsOf({
      dataset: dataset.slug,
      table: table.slug,
      freshness,
      schedule,
      ends,
      lastFailures,
      readings,
      checks: current ? await failedChecks(current.versionId) : [],
      ...(await recipeFacts(dataset, membershipOf(ctx).workspaceId)),
      unpromoted: newer ? { versionId: newer.versionId, sealedAt: newer.sealedAt.toISOString() } : null,
      hasRelease: current !== undefined,
      trends: [
        ...schemaDrift({ releases: checked, failures: lastFailures, since, dataset: dataset.slug }),
        ...worseningChecks(trends),
      ],
    });
    const { state, reason_code } = freshness;
    return {
      dataset: dataset.slug,
      table: table.slug,
      verdict: { state, reason_code, in_words: FRESHNESS_REASONS[reason_code].meaning },
      findings,
      freshness,
      runs: {
        days,
        ...counts,
        last_failures: lastFailures.map(({ runId, at, code, message }) => ({
          run_id: runId,
          at: at.toISOString(),
          code,
          message,
        })),
      },
      schedule,
      check_trends: trends,
      ...(withReadings && { readings: presentReadings(await tableReadings(dataset.id, table, "all")) }),
      next: nextOf(findings),
    };
  },
  mcp: {
    input: pathSchema.omit({ workspace_id: true }).extend({ days: daysSchema }),
  },
});

/**
 * Facts about the newest recipe: why its credentials cannot be used, licences that are listed differently, its
 * schedule.
 */
async function recipeFacts(
  { id }: BuiltDataset,
  workspaceId: string,
): Promise<Pick<Diagnosed, "credentials" | "licences" | "refreshes">> {
  const revision = await findRevision(id);
  if (!revision) return { credentials: [], licences: [], refreshes: false };
  const { recipe } = readRecipe(revision.document);
  return {
    credentials: await credentialFaults(recipe.sources, workspaceId),
    licences: await listedLicences(recipe),
    refreshes: recipe.refresh !== undefined,
  };
}

async function credentialFaults(sources: readonly RecipeSource[], workspaceId: string): Promise<string[]> {
  try {
    await checkCredentialHosts(sources, workspaceId, "stored");
    return [];
  } catch (error) {
    if (error instanceof Failure && error.code === "conflict") return error.faults.map(({ message }) => message);
    throw error;
  }
}

function nextOf([first]: ReturnType<typeof findingsOf>): string {
  if (!first) return "Nothing is wrong.";
  return first.call ? `${first.fix} ${first.call.tool} ${JSON.stringify(first.call.args)}` : first.fix;
}
