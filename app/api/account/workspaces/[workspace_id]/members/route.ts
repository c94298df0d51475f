import { serve } from "@/lib/http/serve";
import { listMembers } from "@/lib/operations/workspace/members";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: listMembers });
