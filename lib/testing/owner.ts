import type { Context } from "@/lib/access/context";
import { insideContext } from "@/lib/http/context";
import type { LiveSession } from "@/lib/store/people/sessions";

/** The context of a page opened by a person. */
export const ownerOf = (userId: string): Context => ({
  ...insideContext(),
  actor: { kind: "person", session: { userId } as LiveSession },
});
