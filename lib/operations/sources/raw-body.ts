import { isLosslessNumber } from "lossless-json";
import type { z } from "zod";
import { failWith } from "@/lib/kernel/errors";
import { requireStorable } from "@/lib/operations/storable-input";

/**
 * Parses a body by its schema: numbers within the members of `exact` keep their digits; all others are plain. Fails
 * with invalid_request, every fault at once.
 */
export function readRawBody<S extends z.ZodType>(schema: S, body: unknown, exact: readonly string[]): z.output<S> {
  requireStorable(body);
  const members = Object.entries((body ?? {}) as Record<string, unknown>);
  const plain = members.map(([name, value]) => [name, exact.includes(name) ? value : plainNumber(value)]);
  const parsed = schema.safeParse(Object.fromEntries(plain));
  if (parsed.success) return parsed.data;
  throw failWith(
    parsed.error.issues.map(({ path, message }) => ({
      pointer: path.map((key) => `/${String(key)}`).join(""),
      code: "invalid_request" as const,
      message,
    })),
  );
}

const plainNumber = (value: unknown): unknown => (isLosslessNumber(value) ? Number(value.value) : value);
