import { serve } from "@/lib/http/serve";
import { readInvitation } from "@/lib/operations/workspace/invitations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ POST: readInvitation });
