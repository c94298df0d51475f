import "server-only";
import { redirect } from "next/navigation";
import { Failure } from "@/lib/kernel/errors";
import type { AuditLog } from "@/lib/schemas/workspace";

const ENTRIES = 20;

/** A page of a log; a URL without a valid position shows the newest entries. */
export async function auditPage(
  before: string | undefined,
  page: string,
  read: (query: { limit: number; cursor?: string | undefined }) => Promise<AuditLog>,
): Promise<AuditLog> {
  try {
    return await read({ limit: ENTRIES, cursor: before });
  } catch (error) {
    if (error instanceof Failure && error.code === "invalid_cursor") redirect(page);
    throw error;
  }
}
