import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { formatBytes } from "@/lib/kernel/format";

/** Whether a file of this size is too large to be downloaded. */
export const isTooLarge = (bytes: number): boolean => bytes > env().ARTIFACT_BYTES;

/** Fails with artifact_too_large if a file of this size cannot be downloaded. */
export function requireDownloadable(bytes: number): void {
  if (isTooLarge(bytes)) throw fail("artifact_too_large");
}

/** Why a file of this size cannot be downloaded, for publishers and readers; undefined if it can. */
export function tooLargeText(bytes: number): string | undefined {
  if (!isTooLarge(bytes)) return undefined;
  const most = formatBytes(env().ARTIFACT_BYTES);
  return `${formatBytes(bytes)} of Parquet cannot be downloaded as one file (maximum ${most}), but can be queried.`;
}
