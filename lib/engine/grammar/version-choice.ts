import { z } from "zod";

const NAME_MAX = 64;
const NAME_RULE = "Name a version by its UUID, label or number.";

/** Names a version of a table: by its UUID, its label, or its number. In `as_of` it may also be a time. */
export const versionNameSchema = z.string().min(1, NAME_RULE).max(NAME_MAX, NAME_RULE);

export const TIME_RULE = "A time is YYYY-MM-DD or a UTC timestamp such as 2024-01-01T12:00:00Z.";

export const VERSION_HELP = "A version by its UUID, label or number. Default: the current version.";
export const AS_OF_HELP =
  "Instead of version_id: the version that was current at that time. YYYY-MM-DD (its end, UTC) or a UTC timestamp. " +
  "UUID, label and number of a version are accepted too, and come first.";

/** The message for a request that names a version in both ways. */
export const VERSION_TWICE = "Both version_id and as_of were sent. Send one of them.";

const DAY_MS = 86_400_000;
const dateSchema = z.iso.date();
const timestampSchema = z.iso.datetime();

/**
 * The instant that an `as_of` stands for. Undefined if it is neither a date nor a UTC timestamp.
 *
 *     momentOf("2024-01-01")?.toISOString() // "2024-01-01T23:59:59.999Z"
 */
export function momentOf(text: string): Date | undefined {
  if (dateSchema.safeParse(text).success) return new Date(Date.parse(`${text}T00:00:00Z`) + DAY_MS - 1);
  return timestampSchema.safeParse(text).success ? new Date(text) : undefined;
}
