import { personOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { slugSchema } from "@/lib/schemas/dataset";
import { findOwnerMembership } from "@/lib/store/people/workspaces";

/** A person who reads pages of a private dataset as a member of its workspace. */
export interface PrivateReader {
  ctx: Context;
  /** The workspace that owns the dataset. */
  owner: { id: string; name: string };
}

/**
 * The signed-in person as a reader of a private dataset of one of their workspaces; undefined if none of them owns one
 * with this slug. Costs the same lookup whether or not such a dataset exists.
 */
export async function privateReader(slug: string, visitor: Context): Promise<PrivateReader | undefined> {
  if (!slugSchema.safeParse(slug).success) return undefined;
  const membership = await findOwnerMembership(personOf(visitor).userId, slug);
  if (!membership) return undefined;
  const { workspaceId: id, workspaceName: name } = membership;
  return { ctx: { ...visitor, door: "page", membership }, owner: { id, name } };
}
