import { serve } from "@/lib/http/serve";
import { acceptInvitation } from "@/lib/operations/workspace/invitations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ POST: acceptInvitation });
