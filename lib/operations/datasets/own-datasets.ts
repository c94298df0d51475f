import { z } from "zod";
import { membershipOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { datasetPage } from "@/lib/describe/links";
import { fail } from "@/lib/kernel/errors";
import { operation } from "@/lib/operations/operation";
import { presentSchedule, scheduleSchema } from "@/lib/operations/recipes/present-schedule";
import { nextRefresh } from "@/lib/operations/refresh/run-schedules";
import { briefOf } from "@/lib/operations/runs/present-run";
import { activationReceiptSchema } from "@/lib/schemas/activation";
import { lineSchema } from "@/lib/schemas/name";
import { runBriefSchema } from "@/lib/schemas/run";
import {
  type BuiltDataset,
  changeBuiltDataset,
  type ListedDataset,
  listBuiltDatasets,
} from "@/lib/store/datasets/built-datasets";
import { ownersOnly, type Visibility, visibilityEvent } from "@/lib/store/datasets/dataset-states";
import { deletableFrom } from "@/lib/store/datasets/delete-dataset";
import { listNotes } from "@/lib/store/datasets/notes";
import { findRevision } from "@/lib/store/recipes/revisions";
import { pauseSchedule, resumeSchedule } from "@/lib/store/recipes/schedules";
import { listRuns } from "@/lib/store/runs/runs";
import { receiptOfTable } from "./activation-receipts";
import { BUILD, buildPathSchema, datasetPathSchema, expectedCurrentSchema, locateBuilt } from "./build-path";
import { builderAuthor, builderOf } from "./builder";
import { callerOf, needsApproval } from "./dataset-events";
import { removeDataset } from "./delete-dataset";

const visibilitySchema = z.enum(["public", "private", "withdrawn"]);
const entrySchema = z.object({
  slug: z.string(),
  title: z.string(),
  visibility: visibilitySchema,
  tables: z.int(),
  revision: z.int().nullable(),
  last_run: z
    .object({
      ...{ run_id: z.uuid(), state: z.string(), outcome: z.string().nullable(), at: z.iso.datetime() },
      asks: z.boolean().describe("Whether it, or its result, awaits a person's approval."),
    })
    .nullable(),
  next_refresh_at: z.iso.datetime().nullable(),
  needs: z.string().nullable().describe("What a person or an agent has to do; null if nothing."),
});

/** GET the built datasets of a workspace. */
export const listMyDatasets = operation({
  name: "list_my_datasets",
  summary: "List the workspace's built datasets",
  description: "The workspace's own datasets, public or not, each with its last run and the next step.",
  access: "build_read",
  quota: "account",
  http: { method: "GET", path: `${BUILD}/datasets` },
  input: {
    path: buildPathSchema,
    query: z.strictObject({
      q: z.string().max(200).optional().describe("Part of the title or slug."),
      limit: z.coerce.number().int().min(1).max(50).default(20),
      cursor: z.string().max(100).optional().describe("next_cursor of the previous page."),
    }),
  },
  output: z.object({ total: z.int(), datasets: z.array(entrySchema), next_cursor: z.string().nullable() }),
  errors: ["invalid_limit"],
  async run({ query: { q = "", limit, cursor = "" } }, ctx) {
    const all = await listBuiltDatasets(membershipOf(ctx).workspaceId);
    const wanted = q.toLowerCase();
    const found = all
      .filter(({ title, slug }) => `${title} ${slug}`.toLowerCase().includes(wanted))
      .sort((a, b) => (a.slug < b.slug ? -1 : 1)); // as cursors compare, whatever the database's collation
    const rest = found.filter(({ slug }) => slug > cursor);
    const page = rest.slice(0, limit);
    const next = rest.length > limit ? (page.at(-1)?.slug ?? null) : null;
    return { total: found.length, datasets: page.map(entryOf), next_cursor: next };
  },
  mcp: {},
});

function entryOf(dataset: ListedDataset): z.output<typeof entrySchema> {
  const [run] = dataset.runs;
  return {
    slug: dataset.slug,
    title: dataset.title,
    visibility: dataset.visibility,
    tables: dataset.tables.filter(({ currentVersionId }) => currentVersionId !== null).length,
    revision: dataset.revisions[0]?.number ?? null,
    last_run: run ? lastRunOf(run) : null,
    next_refresh_at: presentSchedule(dataset.schedule)?.next_at ?? null,
    needs: needsOf(dataset),
  };
}

const lastRunOf = ({ id, state, outcome, updatedAt, approvals }: ListedDataset["runs"][number]) => ({
  ...{ run_id: id, state, outcome, at: updatedAt.toISOString() },
  asks: approvals.length > 0,
});

function needsOf({ revisions, runs: [run] }: ListedDataset): string | null {
  if (revisions.length === 0) return "a recipe: register_recipe";
  if (!run) return "a run: start_run";
  if (run.state === "planned") return `confirmation of run ${run.id}: confirm_run`;
  if (run.state === "awaiting_approval" || run.approvals.length > 0) return `approval of run ${run.id}`;
  return run.state === "failed" ? `a look at the failed run ${run.id}: ${run.failureCode ?? "internal"}` : null;
}

const versionSchema = z.object({ version_id: z.uuid(), rows: z.number(), published_at: z.iso.datetime() });

/** GET a built dataset with its tables, recipe and last runs. */
export const getMyDataset = operation({
  name: "get_my_dataset",
  summary: "Get a built dataset",
  description:
    "One of the workspace's own datasets: tables with current versions, recipe revision, last runs and notes.",
  access: "build_read",
  quota: "account",
  http: { method: "GET", path: `${BUILD}/datasets/{dataset}` },
  input: {
    path: datasetPathSchema,
    query: z.strictObject({
      revision: z.coerce.number().int().min(1).optional().describe("The newest if absent."),
      recipe: z.stringbool().or(z.boolean()).default(false).describe("Whether to return the recipe's document."),
    }),
  },
  output: z.object({
    dataset: z.object({
      id: z.uuid(),
      slug: z.string(),
      title: z.string(),
      summary: z.string(),
      description: z.string(),
      license: z.string().nullable(),
      visibility: visibilitySchema,
      approval_policy: z.enum(["person", "agent_private"]),
      shows_recipe: z.boolean().describe("Whether readers of the dataset see its recipe."),
      updated_at: z.iso.datetime(),
      deletable_from: z.iso
        .datetime()
        .nullable()
        .describe("From when an owner can delete it; may be in the past. null if it must be withdrawn first."),
      url: z.url(),
    }),
    tables: z.array(
      z.object({
        ...{ id: z.uuid(), slug: z.string(), title: z.string(), current: versionSchema.nullable() },
        hosted: activationReceiptSchema.nullable().describe("Where the hosted table API serves it, if it is active."),
      }),
    ),
    revision: z
      .object({
        number: z.int(),
        state: z.string(),
        document_digest: z.string(),
        recipe_digest: z.string().nullable(),
        approved_at: z.iso.datetime().nullable(),
      })
      .nullable(),
    schedule: scheduleSchema.nullable().describe("Null if the approved recipe has none."),
    recipe: z.unknown().meta({ type: "object" }).optional(),
    runs: z.array(runBriefSchema),
    notes: z.array(z.object({ at: z.iso.datetime(), by: z.string(), text: z.string() })),
  }),
  locate: locateBuilt,
  async run({ located, query }, ctx) {
    const { workspaceId, approvalPolicy, showsRecipe, updatedAt } = located.build;
    const [revision, { runs }, notes, from] = await Promise.all([
      findRevision(located.id, query.revision),
      listRuns({ workspaceId, datasetId: located.id, unchanged: false, limit: 5 }),
      listNotes(located.id, 10),
      deletableFrom({ id: located.id, slug: located.slug, workspaceId }),
    ]);
    if (query.revision !== undefined && !revision) throw fail("not_found", { message: "Unknown revision." });
    const { id, slug, title, summary, description, license, visibility } = located;
    return {
      dataset: {
        ...{ id, slug, title, summary, description, license, visibility, approval_policy: approvalPolicy },
        shows_recipe: showsRecipe,
        updated_at: updatedAt.toISOString(),
        deletable_from: from?.toISOString() ?? null,
        url: datasetPage(ctx.baseUrl, slug),
      },
      tables: located.tables.map(({ currentVersion: version, ...table }) => ({
        ...{ id: table.id, slug: table.slug, title: table.name },
        hosted: receiptOfTable({ ...table, currentVersion: version }),
        current: version?.publishedAt
          ? { version_id: version.id, rows: Number(version.rows), published_at: version.publishedAt.toISOString() }
          : null,
      })),
      revision: revision
        ? {
            number: revision.number,
            state: revision.state,
            document_digest: `sha256:${revision.documentDigest}`,
            recipe_digest: revision.recipeDigest,
            approved_at: revision.approvedAt?.toISOString() ?? null,
          }
        : null,
      schedule: presentSchedule(located.schedule),
      ...(query.recipe && revision && { recipe: JSON.parse(revision.document) as unknown }),
      runs: runs.map((run) => briefOf(run, ctx.baseUrl)),
      notes: notes.map(({ at, actor, body }) => ({
        at: at.toISOString(),
        by: (actor as { kind: string }).kind,
        text: body,
      })),
    };
  },
  mcp: {},
});

/** PATCH a built dataset. */
export const updateDataset = operation({
  name: "update_dataset",
  summary: "Change a built dataset",
  description:
    "Changes title, summary or description, pauses or resumes the schedule, withdraws or restores the dataset, or " +
    "deletes one that was never public. Licence, publisher and topics are set only in the recipe.",
  access: "build",
  quota: "account",
  http: { method: "PATCH", path: `${BUILD}/datasets/{dataset}` },
  input: {
    path: datasetPathSchema,
    body: z.strictObject({
      expected_updated_at: z.iso.datetime().optional(),
      title: lineSchema(200).optional(),
      summary: z.string().max(500).optional(),
      description: z.string().max(10_000).optional(),
      visibility: z.enum(["private", "public", "withdrawn"]).optional(),
      expected_current: expectedCurrentSchema.optional(),
      schedule: z.enum(["pause", "resume"]).optional(),
      delete: z.literal(true).optional().describe("Permanently deletes a dataset that was never public."),
    }),
  },
  output: z.object({ dataset: z.string(), changed: z.array(z.string()), deleted: z.boolean() }),
  errors: ["conflict"],
  examples: { body: { title: "Unemployed persons by municipality and sex" } },
  locate: locateBuilt,
  async run({ located, body }, ctx) {
    const { expected_updated_at, expected_current: current, delete: isDeleted, ...changes } = body;
    const { schedule, visibility, ...texts } = changes;
    const dataset = { id: located.id, slug: located.slug, workspaceId: located.build.workspaceId };
    if (isDeleted) {
      await removeDataset(dataset, { byPerson: false, now: ctx.now() }, builderAuthor(ctx));
      return { dataset: located.slug, changed: [], deleted: true };
    }
    const moves = visibility !== undefined && mayMove(located, visibility, ctx);
    const move = moves ? { to: visibility, by: { caller: callerOf(ctx) } } : undefined;
    const expected = expected_updated_at === undefined ? undefined : new Date(expected_updated_at);
    const conditions = { expected, current, move, now: ctx.now() };
    const changed = await changeBuiltDataset(dataset, texts, conditions, builderAuthor(ctx));
    const isSwitched = schedule !== undefined && (await switchSchedule(located, schedule, ctx));
    return { dataset: located.slug, changed: [...changed, ...(isSwitched ? ["schedule"] : [])], deleted: false };
  },
  mcp: {
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  },
});

/**
 * Whether a caller's change of visibility changes anything: publishes, withdraws or restores the dataset with what is
 * current in it. Fails with conflict or insufficient_scope if it may not.
 */
function mayMove(dataset: BuiltDataset, to: Visibility, ctx: Context): boolean {
  const event = visibilityEvent(dataset.visibility, to);
  if (event === undefined) return false;
  if (needsApproval(event, dataset, { caller: callerOf(ctx) }, ctx, to))
    throw ownersOnly("publish it", "promote_table asks one to.");
  return true;
}

/** Pauses or resumes a dataset's schedule; false if nothing changed. */
async function switchSchedule(
  { id: datasetId, slug, build, schedule }: BuiltDataset,
  to: "pause" | "resume",
  ctx: Context,
): Promise<boolean> {
  if (!schedule?.spec)
    throw fail("conflict", {
      message: `Dataset ${slug} has no schedule. Add refresh to its recipe with propose_revision.`,
    });
  const scheduled = { datasetId, slug, workspaceId: build.workspaceId };
  if (to === "pause") return pauseSchedule(scheduled, { by: builderOf(ctx), now: ctx.now() }, builderAuthor(ctx));
  return resumeSchedule(scheduled, await nextRefresh(datasetId, ctx.now()), builderAuthor(ctx));
}
