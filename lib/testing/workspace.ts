import { randomBytes } from "node:crypto";
import { database } from "@/lib/store/postgres/database";

/** A person with their own workspace, as stored in the database. */
export async function newWorkspace(): Promise<{ workspaceId: string; userId: string; email: string }> {
  const { prisma } = await database();
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const { id: userId } = await prisma.user.create({ data: { email } });
  const { id: workspaceId } = await prisma.workspace.create({
    data: { name: email, memberships: { create: { userId, role: "owner" } } },
  });
  return { workspaceId, userId, email };
}
