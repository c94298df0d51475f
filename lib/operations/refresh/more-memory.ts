import { env } from "@/lib/kernel/env";

/** What a refresh may use that failed for want of memory; undefined where it had that already, or may not have more. */
export function moreMemory(hadMb: number | null): number | undefined {
  const { BUILD_MEMORY_MB, BUILD_MEMORY_RETRY_MB } = env();
  const most = Math.min(2 * BUILD_MEMORY_MB, BUILD_MEMORY_RETRY_MB);
  return hadMb === null && most > BUILD_MEMORY_MB ? most : undefined;
}
