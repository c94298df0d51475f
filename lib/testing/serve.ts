import { nextHandlers } from "@/lib/http/next-handlers";
import { operationEndpoint } from "@/lib/http/operation-endpoint";

/** Operations by method as route handlers that are called with their parameters, so that tests need no path. */
export const serve = (operations: Parameters<typeof operationEndpoint>[0]) =>
  nextHandlers(operationEndpoint(operations));
