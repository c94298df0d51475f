import { serve } from "@/lib/http/serve";
import { inviteMember, listInvitations } from "@/lib/operations/workspace/invitations";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: listInvitations, POST: inviteMember });
