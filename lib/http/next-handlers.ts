import { plainResponse } from "./deferred-body";
import { answerAt, type Endpoint, type PathParams } from "./endpoint";

type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
type NextParams = Record<string, string | string[] | undefined>;
type NextHandler = (request: Request, route: { params: Promise<NextParams> }) => Promise<Response>;

const METHODS: readonly Method[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * The exports of a Next route: `export const { GET, HEAD, … } = nextHandlers(endpoint)`, or of anything else that
 * handles requests.
 */
export function nextHandlers(
  target: Endpoint | ((request: Request, params: PathParams) => Promise<Response>),
): Record<Method, NextHandler> {
  const handler: NextHandler = async (request, route) => {
    const params = await segmentsOf(route.params);
    return plainResponse(
      await (typeof target === "function" ? target(request, params) : answerAt(target, request, params)),
      request,
    );
  };
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as Record<Method, NextHandler>;
}

/** The parameters that match one segment each. */
async function segmentsOf(params: Promise<NextParams>): Promise<PathParams> {
  const single = Object.entries((await params) ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(single);
}
