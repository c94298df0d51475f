import { serve } from "@/lib/http/serve";
import { revokeInvitation } from "@/lib/operations/workspace/invitations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ DELETE: revokeInvitation });
