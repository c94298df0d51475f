import { serve } from "@/lib/http/serve";
import { createWorkspace } from "@/lib/operations/workspace/workspaces";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ POST: createWorkspace });
