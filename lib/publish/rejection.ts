import { type Failure, fail } from "@/lib/kernel/errors";
import { ReadFailure } from "@/lib/readers/failure";

/** The failure for a file that cannot be published as it is. The message says what is wrong, where, and what to do. */
export const rejectFile = (message: string): Failure => fail("invalid_request", { message });

/** A value that does not fit its column. `row` counts from 1, without the header. */
export function rejectValue(
  cell: { column: string; row: number; value: string | null; type: string },
  advice: string,
): Failure {
  const shown =
    cell.value === null ? "null" : JSON.stringify(cell.value.length > 80 ? `${cell.value.slice(0, 80)}…` : cell.value);
  return fail("invalid_value", {
    message: `Row ${cell.row}, column ${JSON.stringify(cell.column)}: ${shown} is not ${cell.type}. ${advice}`,
  });
}

const NEEDS_SPACE = /ENOSPC|No space left|max_temp_directory_size|EDQUOT|Disk quota/i;
const NEEDS_MEMORY = /Out of Memory Error/i;

/** Whether a statement failed for lack of memory, not of disk space. */
export const lacksMemory = (error: unknown): boolean =>
  error instanceof Error && NEEDS_MEMORY.test(error.message) && !NEEDS_SPACE.test(error.message);

/** Whether a statement failed for lack of disk space. */
export const lacksSpace = (error: unknown): boolean => error instanceof Error && NEEDS_SPACE.test(error.message);

/**
 * The failure for a file that its reader rejects, a full disk or exhausted memory. Returns every other error unchanged:
 * it is a defect.
 */
export function explained(error: unknown): unknown {
  if (error instanceof ReadFailure) return fail("invalid_request", { message: error.message });
  const text =
    error instanceof Error ? `${(error as NodeJS.ErrnoException).code ?? ""} ${error.message}` : String(error);
  if (NEEDS_SPACE.test(text))
    return fail("unavailable", {
      message:
        "The disk of the data folder is full. Nothing was published. Free up space (about three times the file's " +
        "size) and try again.",
      cause: error,
    });
  if (NEEDS_MEMORY.test(text))
    return fail("unavailable", {
      message: "Out of memory. Nothing was published. Publish without --order-by, or sort the file first.",
      cause: error,
    });
  return error;
}
