import "server-only";
import { insideContext } from "@/lib/http/context";
import type { Context } from "@/lib/operations/operation";

/** The context in which a page runs operations. */
export const pageContext = (): Context => insideContext();
