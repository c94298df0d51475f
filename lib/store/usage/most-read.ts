import { lookUp } from "@/lib/store/postgres/database";

const MOST_READ = `SELECT u."tableId", d."workspaceId" FROM "Usage" u JOIN "Table" t ON t.id = u."tableId"
  JOIN "Dataset" d ON d.id = t."datasetId" WHERE u.day >= current_date - 7 AND t."currentVersionId" IS NOT NULL
  GROUP BY u."tableId", d."workspaceId" ORDER BY sum(u.queries) DESC, u."tableId" LIMIT $1`;

/** The tables that keys and agents queried most in the last week, each with the workspace that owns it, if one does. */
export const mostReadTables = (most: number): Promise<{ tableId: string; workspaceId: string | null }[]> =>
  lookUp("most-read-tables", MOST_READ, [most]);
