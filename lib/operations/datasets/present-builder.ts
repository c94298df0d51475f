import { z } from "zod";
import { builderNames, type StoredActor } from "@/lib/store/datasets/builder-names";

/** Who acted, for display. Programs are shown under the names that they give themselves. */
export const builderNameSchema = z.object({
  name: z.string(),
  connection: z
    .object({ person: z.string(), since: z.iso.datetime() })
    .nullable()
    .describe("For a program or computer: whose connection it is, and since when."),
});
export type BuilderNameBrief = z.output<typeof builderNameSchema>;

/** The names of those who acted, in order; null where the actor no longer exists. */
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
