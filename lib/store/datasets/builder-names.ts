import { database } from "@/lib/store/postgres/database";

/** An actor as stored with revisions, runs and approvals. */
export interface StoredActor {
  kind?: string;
  user_id?: string | null;
  connection_id?: string | null;
}

/** An actor's name for people. */
export interface BuilderName {
  /**
   * For a program, the name it registered; for a computer, the name its person gave it; for a person, their address.
   */
  name: string;
  /** For a connection or computer: its owner, and since when it is connected. */
  connection: { person: string; since: Date } | null;
}

/** The actors' names, in order; null for those no longer known. */
export async function builderNames(actors: readonly StoredActor[]): Promise<(BuilderName | null)[]> {
  const { prisma } = await database();
  const select = { id: true, createdAt: true, deviceName: true, client: { select: { name: true } } };
  const [connections, users] = await Promise.all([
    prisma.agentConnection.findMany({
      where: { id: { in: idsOf(actors, "connection_id") } },
      select: { ...select, user: { select: { email: true } } },
    }),
    prisma.user.findMany({ where: { id: { in: idsOf(actors, "user_id") } }, select: { id: true, email: true } }),
  ]);
  return actors.map(({ user_id, connection_id }) => {
    const connection = connections.find(({ id }) => id === connection_id);
    if (connection) {
      const { deviceName, client, user, createdAt } = connection;
      return { name: deviceName ?? client.name, connection: { person: user.email, since: createdAt } };
    }
    const person = users.find(({ id }) => id === user_id);
    return person ? { name: person.email, connection: null } : null;
  });
}

const idsOf = (actors: readonly StoredActor[], member: "user_id" | "connection_id"): string[] => [
  ...new Set(actors.flatMap((actor) => actor[member] ?? [])),
];
