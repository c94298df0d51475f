import { fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { type Author, audited, type Transaction } from "@/lib/store/audit";
import { lockWorkspace } from "@/lib/store/people/workspaces";
import { database } from "@/lib/store/postgres/database";
import type { ApprovalPolicy, Prisma } from "@/prisma/generated/client";
import type { DatasetState } from "./dataset-states";
import { slugOf } from "./slug";
import { lockedState, requireCurrent, setVisibilityIn, type VisibilityMove } from "./visibility";

export interface NewBuiltDataset {
  workspaceId: string;
  title: string;
  /** The requested slug; derived from the title if absent. */
  slug?: string | undefined;
  summary?: string | undefined;
  description?: string | undefined;
  license?: string | undefined;
  topics?: readonly string[] | undefined;
  temporalCoverage?: string | null | undefined;
  createdById: string | undefined;
  now: Date;
  /** Maximum number of built datasets in the workspace. */
  most: number;
}

const WHOLE = {
  build: true,
  publisher: true,
  tables: {
    orderBy: [{ position: "asc" }, { slug: "asc" }],
    include: { currentVersion: { omit: { profiles: true, columns: true } }, activation: true },
  },
  schedule: true,
} satisfies Prisma.DatasetInclude;

export type BuiltDataset = Prisma.DatasetGetPayload<{ include: typeof WHOLE }> & {
  build: NonNullable<Prisma.DatasetGetPayload<{ include: typeof WHOLE }>["build"]>;
};

/** What decides who sees a built dataset. */
export const stateOf = ({ visibility, tables }: Pick<BuiltDataset, "visibility" | "tables">): DatasetState => ({
  visibility,
  isActive: tables.some(({ activation }) => activation !== null && activation.deactivatedAt === null),
});

/** Names already used in URLs below /studio. */
const RESERVED: readonly string[] = ["new"];

type CreatedDataset = { id: string; slug: string };

/** Creates a private dataset without tables. Fails with conflict if the slug is taken or the workspace is full. */
export function createBuiltDataset(input: NewBuiltDataset, author: Author): Promise<CreatedDataset> {
  return audited(author, async (transaction, audit) => {
    await lockWorkspace(transaction, input.workspaceId); // so that its maximum holds
    const used = await transaction.build.count({ where: { workspaceId: input.workspaceId } });
    if (used >= input.most)
      throw fail("conflict", { message: `Too many datasets (maximum ${input.most} per workspace). Delete one first.` });
    const slug = input.slug ?? (await freeSlug(transaction, slugOf(input.title)));
    const created = RESERVED.includes(slug) ? undefined : await insertDataset(transaction, input, slug);
    if (!created) throw fail("conflict", { message: `The slug ${slug} is taken. Choose another one.` });
    audit({ action: "dataset.created", subject: slug, workspaceId: input.workspaceId, details: { draft: true } });
    return { id: created.id, slug };
  });
}

async function insertDataset(transaction: Transaction, input: NewBuiltDataset, slug: string) {
  const { workspaceId, title, summary = "", description = "", license = null, topics = [], createdById, now } = input;
  const { temporalCoverage = null } = input;
  const texts = { title, summary, description, license, topics: [...topics], temporalCoverage };
  const data = { slug, ...texts, visibility: "private" as const, workspaceId, sources: [], createdAt: now };
  const [created] = await transaction.dataset.createManyAndReturn({ data: [data], skipDuplicates: true });
  if (!created) return undefined;
  await transaction.build.create({
    data: { datasetId: created.id, workspaceId, createdById: createdById ?? null, updatedAt: now },
  });
  return created;
}

/** The slug, or the first of `-2`, `-3` … that is free. */
async function freeSlug(transaction: Transaction, wanted: string): Promise<string> {
  const taken = await transaction.dataset.findMany({
    where: { OR: [{ slug: wanted }, { slug: { startsWith: `${wanted}-` } }] },
    select: { slug: true },
  });
  const names = new Set([...RESERVED, ...taken.map(({ slug }) => slug)]);
  for (let number = 1; ; number++) {
    const slug = number === 1 ? wanted : `${wanted}-${number}`;
    if (!names.has(slug)) return slug;
  }
}

/** A workspace's built dataset by slug or id; undefined for unknown, foreign and other datasets alike. */
export async function findBuiltDataset(workspaceId: string, dataset: string): Promise<BuiltDataset | undefined> {
  const { prisma } = await database();
  const found = await prisma.dataset.findFirst({
    where: { ...(isUuid(dataset) ? { id: dataset } : { slug: dataset }), build: { workspaceId } },
    include: WHOLE,
  });
  return (found as BuiltDataset | null) ?? undefined;
}

/** The workspace that builds a dataset, for the administrator; undefined for unknown and other datasets alike. */
export async function findBuiltBySlug(
  slug: string,
): Promise<{ id: string; slug: string; workspaceId: string } | undefined> {
  const { prisma } = await database();
  const found = await prisma.build.findFirst({ where: { dataset: { slug } } });
  return found ? { id: found.datasetId, slug, workspaceId: found.workspaceId } : undefined;
}

const LISTED = {
  ...WHOLE,
  revisions: { orderBy: { number: "desc" }, take: 1, omit: { document: true, lock: true } },
  runs: { orderBy: { createdAt: "desc" }, take: 1, include: { approvals: { where: { state: "asked" } } } },
} satisfies Prisma.DatasetInclude;

export type ListedDataset = Prisma.DatasetGetPayload<{ include: typeof LISTED }>;

/** The built datasets of a workspace, by slug, each with its newest revision and run. */
export async function listBuiltDatasets(workspaceId: string): Promise<ListedDataset[]> {
  const { prisma } = await database();
  return prisma.dataset.findMany({ where: { build: { workspaceId } }, orderBy: { slug: "asc" }, include: LISTED });
}

export interface DatasetChange {
  title?: string | undefined;
  summary?: string | undefined;
  description?: string | undefined;
}

interface ChangeConditions {
  expected?: Date | undefined;
  current?: readonly string[] | undefined;
  move?: VisibilityMove | undefined;
  now: Date;
}

/**
 * Changes the given fields and, with `move`, who may read the dataset: all or nothing. Returns the names of what
 * changed. Fails with conflict if it was changed after `expected` or has other current versions than `current`,
 * and as `setVisibility` does.
 */
export async function changeBuiltDataset(
  dataset: { id: string; slug: string; workspaceId: string },
  change: DatasetChange,
  { expected, current, move, now }: ChangeConditions,
  author: Author,
): Promise<string[]> {
  return audited(author, async (transaction, audit) => {
    await lockedState(transaction, dataset.id); // before its other rows, as everybody does
    await requireCurrent(transaction, dataset.id, current);
    const { count } = await transaction.build.updateMany({
      where: { datasetId: dataset.id, ...(expected && { updatedAt: expected }) },
      data: { updatedAt: now },
    });
    if (count === 0)
      throw fail("conflict", { message: "The dataset changed in the meantime. Read it again with get_my_dataset." });
    const before = await transaction.dataset.findUniqueOrThrow({ where: { id: dataset.id } });
    const names = (Object.keys(change) as (keyof DatasetChange)[]).filter(
      (name) => change[name] !== undefined && change[name] !== before[name],
    );
    const data = Object.fromEntries(names.map((name) => [name, change[name]]));
    if (names.length > 0) {
      await transaction.dataset.update({ where: { id: dataset.id }, data });
      audit({
        action: "dataset.changed",
        subject: dataset.slug,
        workspaceId: dataset.workspaceId,
        details: { changed: names },
      });
    }
    if (!move) return names;
    await setVisibilityIn(transaction, audit, dataset.slug, move);
    return [...names, "visibility"];
  });
}

/** Decides whether readers of a dataset see its recipe. */
export function setShowsRecipe(
  dataset: { id: string; slug: string; workspaceId: string },
  showsRecipe: boolean,
  now: Date,
  author: Author,
): Promise<void> {
  return audited(author, async (transaction, audit) => {
    const where = { datasetId: dataset.id, showsRecipe: !showsRecipe };
    const { count } = await transaction.build.updateMany({ where, data: { showsRecipe, updatedAt: now } });
    if (count === 0) return;
    const details = { changed: ["shows_recipe"], to: showsRecipe };
    audit({ action: "dataset.changed", subject: dataset.slug, workspaceId: dataset.workspaceId, details });
  });
}

/** Decides who may approve a dataset's recipes. */
export function setApprovalPolicy(
  dataset: { id: string; slug: string; workspaceId: string },
  to: ApprovalPolicy,
  now: Date,
  author: Author,
): Promise<void> {
  return audited(author, async (transaction, audit) => {
    const where = { datasetId: dataset.id, approvalPolicy: { not: to } };
    const { count } = await transaction.build.updateMany({ where, data: { approvalPolicy: to, updatedAt: now } });
    if (count === 0) return;
    audit({ action: "build.policy_changed", subject: dataset.slug, workspaceId: dataset.workspaceId, details: { to } });
  });
}
