import { listMembers } from "@/lib/store/people/members";
import { listWorkspaces, type Unsettled, unsettledIn } from "@/lib/store/people/workspaces";

/** A workspace as described to somebody who leaves it. */
interface LeftWorkspace {
  id: string;
  name: string;
}

/** What happens to a person's workspaces when the person is deleted. */
export interface LeftBehind {
  /** Other members would have no owner. */
  ownerless: LeftWorkspace[];
  /** Nobody else is a member: deleted with the person. */
  orphaned: (LeftWorkspace & Unsettled)[];
}

export async function leftBehind(userId: string): Promise<LeftBehind> {
  const left: LeftBehind = { ownerless: [], orphaned: [] };
  for (const { id, name } of await listWorkspaces(userId)) {
    const others = (await listMembers(id)).filter((member) => member.userId !== userId);
    if (others.length === 0) left.orphaned.push({ id, ...(await unsettledIn(id)) });
    else if (!others.some(({ role }) => role === "owner")) left.ownerless.push({ id, name });
  }
  return left;
}
