import { ERRORS, type ErrorCode } from "@/lib/kernel/errors";
import { headerRef } from "./headers";

/** Rejections that say in Retry-After when to retry. */
export const RETRIED: ReadonlySet<number> = new Set([429, 503]);

/** One response per status; its description lists the codes and what to do about each. */
export function errorResponses(codes: readonly ErrorCode[], schema: object): Record<string, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(ERRORS[code].status, [...(byStatus.get(ERRORS[code].status) ?? []), code]);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, list]) => [String(status), errorResponse(status, list, schema)]),
  );
}

function errorResponse(status: number, codes: readonly ErrorCode[], schema: object): object {
  const lines = codes.map((code) => `- \`${code}\`: ${ERRORS[code].title}. ${ERRORS[code].fix}`);
  const first = codes[0] as ErrorCode;
  const headers = {
    "X-Request-Id": headerRef("X-Request-Id"),
    ...(RETRIED.has(status) && { "Retry-After": headerRef("Retry-After") }),
    ...(status === 405 && { Allow: { description: "The methods the route allows.", schema: { type: "string" } } }),
  };
  const example = {
    schema_version: "service-error.v1",
    error: first,
    request_id: "req_7Qm2x0c4T1uV9sKd",
    message: `${ERRORS[first].title}. ${ERRORS[first].fix}`,
  };
  return { description: lines.join("\n"), headers, content: { "application/json": { schema, example } } };
}
