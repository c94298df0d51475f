/** A traceparent of version 00 (W3C Trace Context): version, trace, span, flags. */
const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;
const NO_TRACE = "0".repeat(32);

/** The trace that a client's request is part of. Undefined unless the header is well-formed. */
export function traceIdOf(traceparent: unknown): string | undefined {
  const [, id] = typeof traceparent === "string" ? (TRACEPARENT.exec(traceparent) ?? []) : [];
  return id === NO_TRACE ? undefined : id;
}
