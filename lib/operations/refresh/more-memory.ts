import { env } from "@/lib/kernel/env";

/** The memory that a refresh may use after it ran out; undefined if it already had that much, or may not have more. */
export function moreMemory(hadMb: number | null): number | undefined {
  const { BUILD_MEMORY_MB, BUILD_MEMORY_RETRY_MB } = env();
  const most = Math.min(2 * BUILD_MEMORY_MB, BUILD_MEMORY_RETRY_MB);
  return hadMb === null && most > BUILD_MEMORY_MB ? most : undefined;
}
