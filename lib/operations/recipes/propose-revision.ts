import { z } from "zod";
import type { Context } from "@/lib/access/context";
import { type CheckedRecipe, checkTree, type KnownSources } from "@/lib/builds/check-recipe";
import { canonicalJson } from "@/lib/builds/document/canonical";
import { patchTree } from "@/lib/builds/document/json-patch";
import { readRecipe } from "@/lib/builds/document/read-recipe";
import { readTree } from "@/lib/builds/document/tree";
import { retainedLock, sampledSources } from "@/lib/builds/retained-lock";
import { impactOf } from "@/lib/builds/revision";
import { Failure, fail, failWith } from "@/lib/kernel/errors";
import { whyPersonFor } from "@/lib/operations/approvals/approval-policy";
import { BUILD, datasetPathSchema, idempotencyKeySchema, locateBuilt } from "@/lib/operations/datasets/build-path";
import { operation } from "@/lib/operations/operation";
import { checkCredentialHosts } from "@/lib/operations/sources/credential-hosts";
import { readRawBody } from "@/lib/operations/sources/raw-body";
import { requireStorable } from "@/lib/operations/storable-input";
import { differenceSchema, impactSchema } from "@/lib/schemas/revision";
import { lastPersonApproval } from "@/lib/store/approvals/approvals";
import { type BuiltDataset, stateOf } from "@/lib/store/datasets/built-datasets";
import { isShown } from "@/lib/store/datasets/dataset-states";
import { findApprovedRevision, findRevision, type StoredRevision } from "@/lib/store/recipes/revisions";
import { onlyOnce } from "@/lib/store/runs/idempotency";
import { compilePatterns } from "./compile-patterns";
import { requireRefreshBounds } from "./refresh-bounds";
import { presentChecked, publisherWarnings, recipeReplySchema, recipeSchema } from "./register-recipe";
import { checkStored, isSafeImpact, lockOf, presentDifferences, presentImpact } from "./revision-change";
import { storeRevision } from "./store-revision";

const POINTERS_SHOWN = 10;

const pointerSchema = z.string().max(500);
const changeSchema = z
  .looseObject({
    op: z.enum(["add", "remove", "replace", "move", "copy", "test"]),
    path: pointerSchema,
    from: pointerSchema.optional(),
    value: z.unknown().optional(),
  })
  .refine(({ op, from }) => (op === "move" || op === "copy") === (from !== undefined), {
    message: "from belongs to move and copy.",
    path: ["from"],
  })
  .refine((change) => !["add", "replace", "test"].includes(change.op) || Object.hasOwn(change, "value"), {
    message: "Missing value.",
    path: ["value"],
  });

const bodySchema = z.strictObject({
  base: z.int().min(1).describe("The newest revision's number, from get_my_dataset."),
  patch: z.array(changeSchema).min(1).max(100).optional().describe("A JSON Patch (RFC 6902)."),
  recipe: recipeSchema.optional().describe("The complete recipe instead of a patch."),
  note: z.string().min(1).max(500).describe("Why, for the people who approve it."),
  dry_run: z.boolean().default(false).describe("Stores nothing."),
  start: z.boolean().default(false).describe("Plans a run as well."),
  idempotency_key: idempotencyKeySchema,
});

const outputSchema = recipeReplySchema.extend({
  diff: z.array(differenceSchema).describe("Compared with the base; the first 100 places."),
  compared_with: z.int().describe("The revision that impact compares with: the approved one, or the base."),
  impact: impactSchema,
  needs_person: z.boolean().describe("Whether a person must approve it, as far as is known before a sample."),
  why_person: z.string().optional(),
});

/** POST a change to the newest revision: returns the next revision, and what it changes. */
export const proposeRevision = operation({
  name: "propose_revision",
  summary: "Propose a change to a recipe",
  description:
    "Changes the newest revision of a recipe by a JSON Patch or a new document, and returns what that changes: " +
    "columns, keys, checks, hosts, schedule, and whether a person must approve it.",
  access: "build",
  quota: "account",
  http: { method: "POST", path: `${BUILD}/datasets/{dataset}/revisions`, status: 201 },
  input: { path: datasetPathSchema, rawBody: bodySchema },
  output: outputSchema,
  errors: ["conflict", "idempotency_key_reused", "invalid_value", "unknown_column", "duplicate_column"],
  examples: {
    body: {
      base: 2,
      note: "The source sends decimals now.",
      patch: [{ op: "replace", path: "/tables/0/columns/1/type", value: "decimal(9,2)" }],
      dry_run: true,
    },
  },
  locate: locateBuilt,
  async run({ located, body }, ctx) {
    const { idempotency_key: key, ...input } = readRawBody(bodySchema, body, ["patch", "recipe"]);
    const { workspaceId } = located.build;
    const call = { workspaceId, key, tool: "propose_revision", args: [located.id, input], now: ctx.now() };
    return input.dry_run ? propose(located, input, ctx) : onlyOnce(call, () => propose(located, input, ctx));
  },
  mcp: {
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
});

type ProposalInput = Omit<z.output<typeof bodySchema>, "idempotency_key">;

async function propose(
  dataset: BuiltDataset,
  input: ProposalInput,
  ctx: Context,
): Promise<z.output<typeof outputSchema>> {
  const { base, after, lock } = await proposalOf(dataset, input);
  const facts = await factsOf(dataset, base, after, ctx.now());
  if (input.dry_run) return { ...facts, revision: null, next: "propose_revision without dry_run stores it." };
  const { note, start } = input;
  const proposed = { origin: "proposed" as const, basedOn: base.number, ...(lock && { lock: canonicalJson(lock) }) };
  return { ...facts, ...(await storeRevision(dataset, after, { note, start, ...proposed }, ctx)) };
}

interface Proposal {
  base: StoredRevision;
  after: CheckedRecipe;
  /** The part of the base's lock that still applies. */
  lock: ReturnType<typeof retainedLock>;
}

async function proposalOf(dataset: BuiltDataset, input: ProposalInput): Promise<Proposal> {
  const base = await findRevision(dataset.id, input.base);
  if (!base)
    throw fail("not_found", { message: `Unknown revision: ${input.base}. get_my_dataset returns the newest one.` });
  await requireNewest(dataset, base);
  const tree = treeOf(base, input);
  requireStorable(tree);
  const before = readRecipe(base.document).recipe;
  const { recipe } = checkTree(tree, new Map());
  await checkCredentialHosts(recipe.sources, dataset.build.workspaceId, "named");
  const lock = lockOf(base);
  const after = checkKnown(tree, lock ? sampledSources(before, recipe, lock) : new Map());
  requireRefreshBounds(recipe);
  await compilePatterns(after, dataset.build.workspaceId);
  const warnings = [...after.warnings, ...(await publisherWarnings(after, dataset.build.workspaceId))];
  return { base, after: { ...after, warnings }, lock: lock && retainedLock(before, recipe, lock) };
}

function treeOf(base: StoredRevision, { patch, recipe }: ProposalInput): unknown {
  if ((patch === undefined) === (recipe === undefined))
    throw failWith([{ pointer: "/patch", code: "invalid_request", message: "Give exactly one of patch and recipe." }]);
  if (patch) return readTree(canonicalJson(patchTree(readTree(base.document), patch))); // as deep as documents can be
  return typeof recipe === "string" ? readTree(recipe) : recipe;
}

/** For an older base: what has changed since, so that the proposal can be redone. */
async function requireNewest(dataset: BuiltDataset, base: StoredRevision): Promise<void> {
  const newest = await findRevision(dataset.id);
  if (!newest || newest.number === base.number) return;
  const changed = presentDifferences(checkStored(base), checkStored(newest));
  const changes = changed.slice(0, POINTERS_SHOWN).map(({ pointer, op }) => `${op} ${pointer}`);
  const more = changed.length > changes.length ? ` and ${changed.length - changes.length} more` : "";
  const message =
    `Revision ${newest.number} is the newest. Since ${base.number}: ${changes.join(", ")}${more}. Read it with ` +
    `get_my_dataset, and base the proposal on it.`;
  throw failWith([{ pointer: "/base", code: "conflict", message }]);
}

/** Checks against the sampled columns; mismatches are warnings, since a source may have changed in the meantime. */
function checkKnown(tree: unknown, known: KnownSources): CheckedRecipe {
  try {
    return checkTree(tree, known);
  } catch (error) {
    if (!(error instanceof Failure) || known.size === 0) throw error;
    const checked = checkTree(tree, new Map());
    const since = error.faults.map(({ pointer, message }) => ({
      pointer,
      message: `According to the last sample: ${message}`,
    }));
    return { ...checked, warnings: [...since, ...checked.warnings] };
  }
}

async function factsOf(dataset: BuiltDataset, base: StoredRevision, after: CheckedRecipe, now: Date) {
  const approved = (await findApprovedRevision(dataset.id)) ?? base;
  const impact = impactOf(checkStored(approved), after);
  const why = whyPersonFor(
    {
      approvalPolicy: dataset.build.approvalPolicy,
      isShown: isShown(stateOf(dataset)),
      isSafe: isSafeImpact(impact),
      hasFailedErrors: false,
      lastApproval: await lastPersonApproval(dataset.id),
    },
    now,
  );
  return {
    ...presentChecked(after),
    diff: presentDifferences(checkStored(base), after),
    compared_with: approved.number,
    impact: presentImpact(impact),
    needs_person: why !== undefined,
    ...(why !== undefined && { why_person: why }),
  };
}
