import { expect, test } from "vitest";
import { traceIdOf } from "./trace-id";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

test("a well-formed traceparent gives its trace ID, and anything else none", () => {
  expect(traceIdOf(`00-${TRACE}-00f067aa0ba902b7-01`)).toBe(TRACE);
  for (const bad of [
    `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${TRACE}-00f067aa0ba902b7-01\n`,
    `01-${TRACE}-00f067aa0ba902b7-01-x`,
    "x".repeat(100_000),
    [`00-${TRACE}-00f067aa0ba902b7-01`],
    undefined,
  ])
    expect(traceIdOf(bad)).toBeUndefined();
});
