import { fail } from "@/lib/kernel/errors";
import type { PublishRequest } from "@/lib/schemas/publish";
import { findWorkspace } from "@/lib/store/people/workspaces";
import { database } from "@/lib/store/postgres/database";
import type { Visibility } from "@/prisma/generated/client";

/** Who may read an existing dataset. */
export interface DatasetAccess {
  visibility: Visibility;
  /** The owner; null for the administrator's own datasets. */
  workspaceId: string | null;
}

type RequestedAccess = Pick<PublishRequest["dataset"], "slug" | "visibility" | "workspaceId">;

/**
 * Checks the access that a publication requests, before any work is done for it. Fails with `invalid_request` or
 * `conflict`.
 */
export async function checkRequestedAccess(requested: RequestedAccess): Promise<void> {
  const { slug, visibility, workspaceId } = requested;
  if (workspaceId !== undefined && !(await findWorkspace(workspaceId)))
    throw fail("invalid_request", {
      message: `Unknown workspace: ${workspaceId}. List workspaces with: parquetry workspace list`,
    });
  const { prisma } = await database();
  const select = { visibility: true, workspaceId: true, build: { select: { datasetId: true } } };
  const existing = await prisma.dataset.findUnique({ where: { slug }, select });
  if (existing?.build)
    throw fail("conflict", {
      message: `Dataset ${slug} is built by runs of its recipe. Start a run instead of publishing a file.`,
    });
  if (existing) rejectOtherAccess(requested, existing);
  else if (visibility === "private" && workspaceId === undefined)
    throw fail("invalid_request", {
      message: "Missing workspace. A private dataset is readable only with keys of its workspace. Give --workspace ID.",
    });
}

/** Publishing never changes who may read a dataset: requesting a different access is a `conflict`. */
export function rejectOtherAccess({ slug, visibility, workspaceId }: RequestedAccess, existing: DatasetAccess): void {
  const isOther =
    (visibility !== undefined && visibility !== existing.visibility) ||
    (workspaceId !== undefined && workspaceId !== existing.workspaceId);
  if (!isOther) return;
  const owner = existing.workspaceId ? `belongs to workspace ${existing.workspaceId}` : "belongs to no workspace";
  const change = `parquetry dataset visibility ${slug} ${visibility ?? existing.visibility} --workspace ID`;
  throw fail("conflict", {
    message: `Dataset ${slug} is ${existing.visibility} and ${owner}; publishing does not change that. Run: ${change}`,
  });
}
