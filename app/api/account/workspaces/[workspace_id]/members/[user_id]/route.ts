import { serve } from "@/lib/http/serve";
import { removeMember, setMemberRole } from "@/lib/operations/workspace/members";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ PATCH: setMemberRole, DELETE: removeMember });
