import { nextHandlers } from "@/lib/http/next-handlers";
import { operationEndpoint } from "@/lib/http/operation-endpoint";

/** Operations by method as route handlers, called with their parameters: a test needs no path to name them by. */
export const serve = (operations: Parameters<typeof operationEndpoint>[0]) =>
  nextHandlers(operationEndpoint(operations));
