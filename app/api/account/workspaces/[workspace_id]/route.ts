import { serve } from "@/lib/http/serve";
import { getWorkspace, renameWorkspace } from "@/lib/operations/workspace/workspaces";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: getWorkspace, PATCH: renameWorkspace });
