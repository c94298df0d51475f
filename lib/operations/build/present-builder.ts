import { z } from "zod";
import { builderNames, type StoredActor } from "@/lib/store/builds/builder-names";

/** Who acted, as people read it. Names of programs are what they call themselves. */
export const builderNameSchema = z.object({
  name: z.string(),
  connection: z
    .object({ person: z.string(), since: z.iso.datetime() })
    .nullable()
    .describe("Of a program or computer: whose connection it is, and since when."),
});
export type BuilderNameBrief = z.output<typeof builderNameSchema>;

/** The names of who acted, in order; null where nobody is known any more. */
export async function presentBuilders(actors: readonly StoredActor[]): Promise<(BuilderNameBrief | null)[]> {
  return (await builderNames(actors)).map(
    (found) =>
      found && {
        name: found.name,
        connection: found.connection && {
          person: found.connection.person,
          since: found.connection.since.toISOString(),
        },
      },
  );
}
