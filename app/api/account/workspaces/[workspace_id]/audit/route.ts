import { serve } from "@/lib/http/serve";
import { listWorkspaceEvents } from "@/lib/operations/workspace/audit-log";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: listWorkspaceEvents });
