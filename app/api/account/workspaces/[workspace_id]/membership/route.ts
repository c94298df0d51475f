import { serve } from "@/lib/http/serve";
import { leaveWorkspace } from "@/lib/operations/workspace/members";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ DELETE: leaveWorkspace });
