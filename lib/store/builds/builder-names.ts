import { database } from "@/lib/store/database";

/** Who acted, as revisions, runs and approvals keep it. */
export interface StoredActor {
  kind?: string;
  user_id?: string | null;
  connection_id?: string | null;
}

/** Who acted, for people. */
export interface BuilderName {
  /** Of a program, as it registered itself; of a computer, as its person named it; of a person, their address. */
  name: string;
  /** Of a connection or computer: whose it is, and since when. */
  connection: { person: string; since: Date } | null;
}

/** The names of who acted, in order; null where nobody is known any more. */
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
